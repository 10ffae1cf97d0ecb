/** `npm run updates`. It is part of the build, because its emails show the content and the look of the built site. */
import { findPlaces, readShownSite } from '#server/find-places.ts';
import { runCommand } from './run-command.ts';
import { createUpdatesCommand } from './updates-command.ts';

const places = findPlaces(import.meta.url);
const command = createUpdatesCommand(async ({ env, store }) => {
  const { content } = await readShownSite({ places, env, store });
  return { ...places, db: store.db, sender: content };
});
await runCommand(command);
