import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Environment } from '#shared/environment.ts';

/** @throws naming the variable to change, when the port or the host cannot be had */
export async function listen(server: Server, { PORT, HOST }: Environment): Promise<void> {
  server.listen(PORT, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = LISTEN_REASONS[code];
    throw reason === undefined
      ? error
      : new Error(reason.replace('PORT', `PORT: ${PORT}`).replace('HOST', `HOST: ${HOST}`));
  }
}

const LISTEN_REASONS: Record<string, string> = {
  EADDRINUSE: 'PORT is already in use on this machine; end the other program, or choose another port',
  EACCES: 'PORT may not be used by this user; choose one above 1023',
  EADDRNOTAVAIL: 'HOST is no address of this machine; choose localhost, or 0.0.0.0 for every interface',
  ENOTFOUND: 'HOST cannot be resolved; choose localhost, or 0.0.0.0 for every interface',
};
