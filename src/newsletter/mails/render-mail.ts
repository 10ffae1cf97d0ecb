import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { MailTemplate } from './mail-template.ts';

/** Renders an email as HTML, and its text part from the same content. */
export function renderMail(subject: string, mail: ReactElement): MailTemplate {
  // React's preload links for pictures are useless in an email.
  const markup = renderToStaticMarkup(mail).replaceAll(/<link rel="preload"[^<>]*>/g, '');
  const html = DOCTYPE + markup.replace('</head>', `${OUTLOOK_SETTINGS}</head>`);
  return { subject, html, text: `${convert(html, TEXT_OPTIONS)}\n` };
}

/** Writes a link's text and its URL, unless they are the same. */
function writeLink(...[{ attribs, children }, walk, builder]: Parameters<FormatCallback>): void {
  const href = String(attribs.href);
  const url = href.replace(/^mailto:([^?]*).*/i, '$1');
  let label = '';
  builder.pushWordTransform((word) => {
    label += word;
    return word;
  });
  walk(children, builder);
  builder.popWordTransform();
  if (![url, href].includes(label) && url !== `https://${label}`)
    builder.addInline(` ${url}`, { noWordTransform: true });
}

/** Writes a picture's description in its place. */
function writeDescription(...[{ attribs }, , builder]: Parameters<FormatCallback>): void {
  builder.addInline(String(attribs.alt), { noWordTransform: true });
}

/** With this doctype, email programs leave no gap below a picture in a table cell. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** A comment that makes Outlook on Windows keep the size of pictures at 125–150 % (Cerberus, MJML). */
const OUTLOOK_SETTINGS =
  '<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->';

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { link: writeLink, description: writeDescription },
  selectors: [
    ...['h1', 'h2', 'h3'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...['.band', '.preview'].map((selector) => ({ selector, format: 'skip' })),
    { selector: 'img', format: 'description' },
    { selector: 'a', format: 'link' },
    { selector: 'td', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
  ],
};
