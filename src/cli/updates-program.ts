/** `npm run updates`, a program of the build, since its mails show the words and the look of the built site. */
import { setSiteContent } from '#content/site-content.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { findPlaces, readShownSite } from '#server/find-places.ts';
import { runCommand } from './run-command.ts';
import { createUpdatesCommand } from './updates-command.ts';

const places = findPlaces(import.meta.url);
const command = createUpdatesCommand(places);
command.hook('preAction', () => setSiteContent(readShownSite({ places, env: parseEnvironment(process.env) }).content));
await runCommand(command);
