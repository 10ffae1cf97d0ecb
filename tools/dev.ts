/** `npm run dev`: Vite's development server, which renders the site and reloads it when a file changes. */
import { createServer } from 'vite';

try {
  const server = await createServer();
  await server.listen();
  server.printUrls();
  server.bindCLIShortcuts({ print: true });
} catch (error) {
  const { name, message } = error as Error;
  if (name !== 'EnvironmentError' && !/already in use/.test(message)) throw error;
  console.error(name === 'EnvironmentError' ? message : `${message}. Set another PORT in .env`);
  process.exit(1);
}
