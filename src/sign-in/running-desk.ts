import { readMetadata, writeMetadata } from '#newsletter/database/metadata.ts';
import type { Store } from '#newsletter/database/open-store.ts';

/** Where a server serves the desk. @property url where it listens @property origin where browsers open it */
export type RunningDesk = { url: string; origin: string };

const NAME = 'desk';

/** Stores where the last server that started serves the desk, for the command that prints a link. */
export function noteDesk({ db }: Store, desk: RunningDesk): Promise<void> {
  return writeMetadata(db, NAME, JSON.stringify(desk));
}

/** Finds this database's running server. @param isOurs asks whether one of our servers responds at a URL */
export async function findRunningDesk(
  { db }: Store,
  isOurs: (url: string) => Promise<boolean>,
): Promise<RunningDesk | undefined> {
  const noted = await readMetadata(db, NAME);
  if (noted === undefined) return undefined;
  const desk = JSON.parse(noted) as RunningDesk;
  return (await isOurs(desk.url)) || (await isOurs(desk.origin)) ? desk : undefined;
}
