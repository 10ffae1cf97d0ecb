import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Environment } from '#shared/environment.ts';
import { explainCodes } from '#shared/explain-codes.ts';

/** @throws naming the settings to change, where the port or the host is not available */
export async function listen(server: Server, { PORT, HOST }: Environment): Promise<void> {
  server.listen(PORT, HOST);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`PORT ${PORT}, HOST ${HOST}: ${explainCodes(`${code}`)}. Set another port or host in .env`);
  });
}
