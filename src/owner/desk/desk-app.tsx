import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { fonts } from 'virtual:fonts-text';
import { tokens } from 'virtual:tokens-text';
import type { Opened } from '../command/with-store.ts';
import styles from './desk.css?raw';
import script from './desk-script.js?raw';
import type { Desk, DeskPlaces } from './desk-types.ts';
import { Notice, showPage } from './frame.tsx';
import { guardDesk } from './security.ts';
import { siteAsker } from './site-answer.ts';
import { addBackup } from './backup.tsx';
import { addDeliveries } from './deliveries.tsx';
import { addExchange } from './exchange.tsx';
import { addLaunch } from './launch.tsx';
import { addPeople } from './people.tsx';
import { addPerson } from './person.tsx';
import { addSending } from './sending.tsx';
import { addToday } from './today.tsx';
import { addUpdates } from './updates.tsx';
import { addWriting } from './writing.tsx';

/**
 * The desk's pages. Each is a file of its own, with its address and its forms.
 * @param access.token what the printed address carries
 * @param access.onUse called for each request of the owner's
 */
export function deskApp(opened: Opened & { places: DeskPlaces }, access: { token: string; onUse: () => void }): Hono {
  const app = new Hono();
  const { session, guard } = guardDesk(access);
  const desk: Desk = { ...opened, ...session, ...keepSentences(), askSite: siteAsker(opened.env) };
  app.use(bodyLimit({ maxSize: MAX_BODY, onError: (context) => context.text('Files may have at most 20 MB.\n', 413) }));
  app.use(guard);
  addFiles(app, desk.places.site);
  addToday(app, desk);
  addPeople(app, desk);
  addExchange(app, desk);
  addDeliveries(app, desk);
  addPerson(app, desk);
  addUpdates(app, desk);
  addWriting(app, desk);
  addSending(app, desk);
  addLaunch(app, desk);
  addBackup(app, desk);
  app.notFound(async (context) => showPage(context, desk, { title: 'No such page', status: 404, body: <Lost /> }));
  app.onError(async (error, context) => {
    const body = <Notice kind="error" text={error.message} />;
    return showPage(context, desk, { title: 'That did not work', status: 400, body });
  });
  return app;
}

/** In bytes. */
const MAX_BODY = 20_000_000;

function Lost() {
  return (
    <p>
      The person may have been erased, or the update removed. <a href="/">Back to today</a>
    </p>
  );
}

/** Sentences that the page after a form says; kept for as long as the desk runs, so that no GET changes anything. */
function keepSentences(): Pick<Desk, 'say' | 'heard'> {
  const kept = new Map<string, string>();
  return {
    say: (sentence) => {
      const key = randomUUID();
      kept.set(key, sentence);
      return `said=${key}`;
    },
    heard: (key) => (key === undefined ? undefined : kept.get(key)),
  };
}

/** Styles, the one script, and the public site's fonts and mark. */
function addFiles(app: Hono, site: string): void {
  const css = `@layer base, desk;\n${fonts}\n${tokens}\n${styles}`;
  app.get('/desk.css', (context) => context.body(css, 200, { 'Content-Type': 'text/css' }));
  app.get('/desk.js', (context) => context.body(script, 200, { 'Content-Type': 'text/javascript' }));
  app.get('/assets/:file{[\\w.-]+\\.(?:woff2|svg|png|webp|avif)}', async (context) => {
    const file = context.req.param('file');
    const bytes = await readFile(join(site, 'assets', file)).catch(() => undefined);
    if (bytes === undefined) return context.notFound();
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    return context.body(new Uint8Array(bytes), 200, { 'Content-Type': type });
  });
}

const TYPES: Record<string, string> = {
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
};
