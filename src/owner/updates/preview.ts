import { once } from 'node:events';
import { TOKEN_PATHS } from '#list/tokens.ts';
import { unwatchFile, watchFile } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { streamSSE } from 'hono/streaming';
import type { Agency } from '#shared/content-schema.ts';
import { parseEnvironment } from '#shared/environment.ts';
import { write } from '../command/print.ts';
import { writeMessage } from '#mail/queue/mail-message.ts';
import { fillTemplate, type MailTemplate } from '#mail/templates/mail-template.ts';
import { bulkHeadersOf } from '#mail/updates/find-update-mail.ts';
import { findUpdateFile, readUpdateFile, type UpdatePlaces } from './read-update-file.ts';
import { kilobytes } from './send.ts';
import { siteOf } from './send-test.ts';

/** Shows an update on a local page until Ctrl-C; the page renews itself when the file is saved. */
export async function preview(file: string, port: number, places: UpdatePlaces, agency: Agency): Promise<void> {
  const path = findUpdateFile(file, places);
  const server = serve({ fetch: previewApp(path, places, agency).fetch, port, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  write(`Preview: http://localhost:${(server.address() as AddressInfo).port} (Ctrl-C ends it)\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  if ('closeAllConnections' in server) server.closeAllConnections();
  server.close();
}

/** The preview's pages; every request reads the file anew. */
export function previewApp(path: string, places: UpdatePlaces, agency: Agency): Hono {
  const app = new Hono();
  const read = async (): Promise<MailTemplate & { firstLine: string }> => {
    const { template, update } = await readUpdateFile(path, places, agency);
    const site = siteOf(parseEnvironment(process.env));
    // Pictures come from this page, since the site may not have them yet.
    const withLocalImages = template.html.replaceAll(/(<img[^>]* src=")https:\/\/site\.invalid/g, '$1');
    const links = { site, unsubscribe: `${site}${TOKEN_PATHS.unsubscribe}/…` };
    return { ...fillTemplate({ ...template, html: withLocalImages }, links), firstLine: update.preview };
  };
  app.get('/', async (context) => {
    try {
      return context.html(String(await page(await read(), agency)));
    } catch (error) {
      return context.html(String(await problem(error instanceof Error ? error.message : String(error))));
    }
  });
  app.get('/mail/:scheme', async (context) => {
    const { html: source } = await read();
    const isDark = context.req.param('scheme') === 'dark';
    return context.html(source.replaceAll('(prefers-color-scheme: dark)', isDark ? 'all' : 'not all'));
  });
  app.get('/changes', (context) =>
    streamSSE(context, async (stream) => {
      await new Promise<void>((resolve) => {
        const tell = () => void stream.writeSSE({ data: 'changed' });
        watchFile(path, { interval: 300 }, tell);
        stream.onAbort(() => {
          // A file that is watched keeps the command from ending.
          unwatchFile(path, tell);
          resolve();
        });
      });
    }),
  );
  app.get('/reload.js', (context) =>
    context.body("new EventSource('/changes').onmessage = () => location.reload();", 200, {
      'Content-Type': 'text/javascript',
    }),
  );
  app.use('*', serveStatic({ root: places.publicFiles }));
  return app;
}

const GMAIL_CUTS_KB = 100;

async function page(mail: MailTemplate & { firstLine: string }, agency: Agency) {
  const size = kilobytes(mail.html);
  const unsubscribeUrl = `${siteOf(parseEnvironment(process.env))}${TOKEN_PATHS.unsubscribe}/…`;
  const bulk = bulkHeadersOf(agency, 'update', parseEnvironment(process.env));
  const header = { messageId: 'update@example.org', to: 'reader@example.org' };
  const message = await writeMessage(header, { ...mail, unsubscribeUrl, bulk }, agency);
  const headers = message.toString().split('\r\n\r\n', 1)[0];
  const frames = [
    ['Desk, light', 'light', 800],
    ['Phone, light', 'light', 390],
    ['Desk, dark', 'dark', 800],
    ['Phone, dark', 'dark', 390],
  ] as const;
  return html`<!doctype html>
    <html lang="en-GB">
      <meta charset="utf-8" />
      <title>${mail.subject}</title>
      ${STYLES}
      <script src="/reload.js"></script>
      <h1>${mail.subject}</h1>
      <p>
        ${size} kB of HTML.
        ${size > GMAIL_CUTS_KB ? html`<strong>Gmail cuts a mail at 100 kB: make it shorter.</strong>` : ''}
      </p>
      <h2>In the inbox</h2>
      <div class="frames">
        ${(['light', 'dark'] as const).map(
          (scheme) =>
            html`<p class="inbox ${scheme}">
              <b>${agency.name}</b> <time>09:00</time><br /><b>${mail.subject}</b><br /><span>${mail.firstLine}</span>
            </p>`,
        )}
      </div>
      <h2>Headers</h2>
      <pre>${headers}</pre>
      <div class="frames">
        ${frames.map(
          ([name, scheme, width]) =>
            html`<figure>
              <figcaption>${name}, ${width} px</figcaption>
              <iframe src="/mail/${scheme}" width="${width}" height="1400" title="${name}"></iframe>
            </figure>`,
        )}
      </div>
      <h2>Text</h2>
      <pre>${mail.text}</pre>
    </html>`;
}

function problem(message: string) {
  return html`<!doctype html>
    <html lang="en-GB">
      <meta charset="utf-8" />
      <title>Not yet</title>
      ${STYLES}
      <script src="/reload.js"></script>
      <h1>This cannot be sent yet</h1>
      <pre>${message}</pre>
    </html>`;
}

const STYLES = raw(`<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8888; padding: 1rem; max-width: 60rem; }
  .frames { display: flex; flex-wrap: wrap; gap: 2rem; }
  .inbox { width: 22rem; margin: 0; padding: 0.75rem 1rem; border: 1px solid #8888; border-radius: 0.5rem; }
  .inbox > :not(br) { display: inline-block; max-width: 18rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .inbox time { float: right; }
  .inbox span { opacity: 0.75; }
  .light { background: #fff; color: #111; }
  .dark { background: #111; color: #eee; }
  figure { margin: 0; }
  iframe { border: 1px solid #8888; }
</style>`);
