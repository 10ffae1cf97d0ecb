import { runCommand } from './owner-commands.ts';
import { freshStore, type RunningNewsletter, startNewsletter, type StoreName } from './running-newsletter.ts';

const SECRET = { SIGNING_SECRET: 'a secret that every store of these tests shares' };

/** The variables of a fresh store, and the owner's commands on it. */
export async function openCommands(name?: StoreName, variables: Record<string, string> = {}) {
  const place = { ...SECRET, ...(await freshStore(name)), ...variables };
  return { place, command: (...args: string[]) => runCommand(place, ...args) };
}

/** Starts a newsletter that sends nothing, so that a backup contains everything that was queued. */
export async function startQuietNewsletter(variables: Record<string, string>): Promise<RunningNewsletter> {
  const running = await startNewsletter(variables);
  await running.newsletter.stopDeliveries();
  return running;
}

export async function readStates({ people }: RunningNewsletter) {
  return (await people()).map(({ email, state }) => `${email} ${state}`);
}
