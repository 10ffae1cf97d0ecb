import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { readBuiltSite } from '#build/built-site.ts';
import { toOutboxPath } from '#newsletter/database/outbox.ts';
import { type MailTransport, openMailTransport } from '#newsletter/deliveries/smtp/mail-transport.ts';
import base from '../layout/styles/base.css?raw';
import type { LiveSite } from '#publishing/live-version.ts';
import type { Places } from '#server/find-places.ts';
import type { Opened } from '#newsletter/open-list.ts';
import { isStoreUnreachable } from '#newsletter/database/explain-store-failure.ts';
import { explainToOwner } from './explain-to-owner.ts';
import { addBackup } from './backup.tsx';
import { addDeliveries } from './deliveries.tsx';
import draftsScript from './script/drafts.ts?script';
import passkeysScript from './script/passkey-script.ts?script';
import timeZoneScript from './script/time-zone.ts?script';
import previewScript from './script/website-preview.ts?script';
import type { Desk } from './desk-types.ts';
import { renderPages } from './frame.tsx';
import { addImport } from './import.tsx';
import { addJobs } from './job-page.tsx';
import { addLaunch } from './launch.tsx';
import { Notice } from './ui.tsx';
import { addPeople } from './people.tsx';
import { addReports } from './reports.tsx';
import { addPerson } from './person.tsx';
import { type DeskAddress, guardDesk, requirePageKey, requireSession } from './security.ts';
import { addAccountPages } from './account-page.tsx';
import { showTimesIn } from '#newsletter/format.ts';
import { readEnvironment } from '#newsletter/owner-settings/settings-store.ts';
import { addSettings } from './settings.tsx';
import { addSending } from './sending.tsx';
import { addSignIn } from './sign-in.tsx';
import { addToday } from './today.tsx';
import { addUpdates } from './updates.tsx';
import { addWebsite } from './website/website.tsx';
import { addWriting } from './writing.tsx';

/**
 * Creates the desk's pages. Each has its own file, with its URL and its forms.
 * @param address the desk's URL in browsers, and a function that writes a line to the server's log
 */
export function createDeskApp(
  opened: Opened & { places: Places; shown: LiveSite },
  address: DeskAddress & { log: (line: string) => void },
): Hono {
  const app = new Hono();
  const desk: Desk = {
    ...opened,
    ...address,
    openTransport: () => openDeskTransport(desk),
    content: readBuiltSite(opened.shown.folder).content,
    publishing: {},
    picturesKey: randomBytes(16).toString('base64url'),
    results: new Map(),
    jobs: new Map(),
  };
  app.use(async (context, next) => {
    context.set('client', (context.env as { client?: string } | undefined)?.client ?? '');
    await next();
  });
  app.use(guardDesk(address, opened.env));
  app.use((context, next) => showTimesIn(getCookie(context, 'desk-zone'), next));
  addFiles(app, desk);
  app.use(async (_, next) => {
    // Updated in place, because every page holds this object.
    Object.assign(desk.env, await readEnvironment(desk.store, desk.secret, desk.env));
    await next();
  });
  addSignIn(app, desk);
  // Requests without a session can have any size: their bodies are never read.
  app.use(requireSession(desk, address), bodyLimit({ maxSize: MAX_BODY, onError: rejectBody }), requirePageKey(desk));
  app.use(renderPages(desk));
  addPages(app, desk);
  app.get('/desk/', (context) => context.redirect('/desk', 301));
  app.notFound(async (context) => {
    context.status(404);
    return context.render(
      <p>
        The person may have been erased, or the update or page removed. <a href="/desk">Back to Today</a>
      </p>,
      { title: 'Page not found' },
    );
  });
  app.onError(async (error, context) => {
    if (error instanceof HTTPException) return context.text(error.message, error.status);
    const text = explainToOwner(error, desk);
    if (isStoreUnreachable(error)) return showUnreachable(context, text);
    if (context.get('session') === undefined) return context.text(`${text}\n`, 500);
    context.status(400);
    return context.render(<Notice kind="error" text={text} />, { title: 'That didn’t work' });
  });
  return app;
}

/** A page reloads by itself, and the script sends a draft again; any other form has to be sent again by hand. */
function showUnreachable(context: Context, reason: string): Response {
  const isPage = context.req.method === 'GET';
  if (isPage) context.header('Refresh', '5');
  const consequence = isPage
    ? '. This page tries again every few seconds.'
    : ', so nothing was saved. What you typed is still in this browser; try again in a moment.';
  return context.text(
    `Your desk can’t reach its database${consequence} If this lasts, tell whoever looks after your server: ${reason}.\n`,
    503,
  );
}

function addPages(app: Hono, desk: Desk): void {
  addToday(app, desk);
  addDeliveries(app, desk);
  addReports(app, desk);
  addPeople(app, desk);
  addImport(app, desk);
  addPerson(app, desk);
  addUpdates(app, desk);
  addWriting(app, desk);
  addSending(app, desk);
  // A host that only receives sign-ups shows no pages.
  if (desk.env.RECEIVER_OF === undefined) {
    addLaunch(app, desk);
    addWebsite(app, desk);
  }
  addBackup(app, desk);
  addJobs(app, desk);
  addSettings(app, desk);
  addAccountPages(app, desk);
}

/** Opens the mail account. The sender is the address in the site's current content. */
function openDeskTransport({ env, content }: Desk): MailTransport {
  return openMailTransport({ smtpUrl: env.SMTP_URL, outbox: toOutboxPath(env), from: () => content.agency.email });
}

/** In bytes. */
const MAX_BODY = 20_000_000;

/** Reads the rest first: Firefox reports a failed connection if the response comes before the body ends. */
async function rejectBody({ req, text }: Context): Promise<Response> {
  await req.raw.body?.pipeTo(new WritableStream());
  return text('Files can be at most 20 MB. Go back and choose a smaller one.\n', 413);
}

/** Adds styles and scripts, which need no sign-in; fonts and the mark are the site's own files. */
function addFiles(app: Hono, desk: Desk): void {
  app.get('/desk/desk.css', (context) => {
    const { styles } = desk.content;
    const css = [styles.fonts, styles.tokens, base, ...Object.values(STYLES)].join('\n');
    return context.body(css, 200, { 'Content-Type': 'text/css' });
  });
  app.get('/desk/desk.js', (context) =>
    context.body([timeZoneScript, draftsScript, previewScript, passkeysScript].join('\n'), 200, {
      'Content-Type': 'text/javascript',
    }),
  );
  app.get('/desk/sign-in.js', (context) =>
    context.body([timeZoneScript, passkeysScript].join('\n'), 200, { 'Content-Type': 'text/javascript' }),
  );
}

/** The stylesheets, each next to its pages or parts. */
const STYLES = import.meta.glob<string>('./**/*.css', { query: '?raw', import: 'default', eager: true });
