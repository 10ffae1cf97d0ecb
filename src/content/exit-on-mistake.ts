/** Ends the program with the owner's mistake, in that message alone: a stack would bury it. */
export function exitOnMistake(error: unknown): never {
  // By name: a plugin of Vite's may have loaded the class a second time.
  if (!(error instanceof Error) || !['ContentError', 'EnvironmentError'].includes(error.name)) throw error;
  console.error(error.message.replace(/^\[plugin content\] /, ''));
  process.exit(1);
}
