import type { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { findPictureNames, readPicture } from '#newsletter/updates/stored-pictures.ts';
import { TOKEN_PATHS } from '#newsletter/subscribers/tokens.ts';
import { fillTemplate, LINK_SLOTS, type MailTemplate } from '#newsletter/mails/mail-template.ts';
import { readUpdateFile } from '#newsletter/updates/read-update-file.ts';
import { readSiteUrl } from '#newsletter/updates/send-test-mail.ts';
import { answerWithFile } from '#newsletter/updates/update-pictures.ts';
import type { Desk, WritingDesk } from './desk-types.ts';
import { PREVIEW_HEADERS } from './desk-headers.ts';

/** Adds the email's preview, for a frame that runs no scripts and loads nothing but pictures. */
export function addPreview(app: Hono, desk: WritingDesk): void {
  app.get('/desk/updates/write/:name/mail/:scheme{light|dark}', async (context) => {
    for (const [name, value] of Object.entries(PREVIEW_HEADERS)) context.header(name, value);
    const { template } = await readUpdateFile(`${context.req.param('name')}.md`, {
      ...desk.places,
      db: desk.store.db,
      sender: desk.content,
    });
    const isDark = context.req.param('scheme') === 'dark';
    const html = fill(desk, template).html.replaceAll('(prefers-color-scheme: dark)', isDark ? 'all' : 'not all');
    // A scroll bar would make the email narrower than on a phone.
    return context.html(html.replace('</head>', '<style>html { scrollbar-width: none }</style></head>'));
  });
  app.get('/desk/pictures/:key/:path{.+}', async (context) => {
    // The frame is sandboxed, so its origin is opaque.
    context.header('Cross-Origin-Resource-Policy', 'cross-origin');
    const path = context.req.param('path');
    const [name = ''] = findPictureNames(`/${path}`);
    const stored = name === '' ? undefined : await readPicture(desk.store.db, name);
    if (stored === undefined) return answerWithFile(context, desk.places.site, path);
    return context.body(new Uint8Array(stored), 200, { 'Content-Type': getMimeType(name) ?? 'image/jpeg' });
  });
}

/** Fills an email with placeholder links; its pictures come from the desk, because the site may not have them yet. */
export function fill({ env, picturesKey }: Pick<Desk, 'env' | 'picturesKey'>, template: MailTemplate): MailTemplate {
  const site = readSiteUrl(env);
  const html = template.html.replaceAll(` src="${LINK_SLOTS.site}`, ` src="/desk/pictures/${picturesKey}`);
  return fillTemplate({ ...template, html }, { site, unsubscribe: `${site}${TOKEN_PATHS.unsubscribe}/…` });
}
