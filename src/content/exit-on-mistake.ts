import { EnvironmentError } from '#shared/environment.ts';
import { ContentError } from './read-content.ts';

/** Ends the program with what its owner got wrong, in that message alone: a stack would bury it. */
export function exitOnMistake(error: unknown): never {
  if (!(error instanceof ContentError || error instanceof EnvironmentError)) throw error;
  console.error(error.message);
  process.exit(1);
}
