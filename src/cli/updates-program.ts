/** `npm run updates`, a program of the build, since its mails show the words and the look of the built site. */
import { parseEnvironment } from '#settings/environment.ts';
import { findPlaces, readShownSite } from '#server/find-places.ts';
import { runCommand } from './run-command.ts';
import { createUpdatesCommand } from './updates-command.ts';

const places = findPlaces(import.meta.url);
const command = createUpdatesCommand(() => {
  const { content } = readShownSite({ places, env: parseEnvironment(process.env) });
  return { ...places, sender: content };
});
await runCommand(command);
