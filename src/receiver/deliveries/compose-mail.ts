import { html } from 'hono/html';
import { addressLine, companyLine } from '#shared/company-line.ts';
import type { Agency, MailCopy } from '#shared/content-schema.ts';
import type { SignedUp } from './queue.ts';

/** A mail before it has a sender and a receiver. */
export type ComposedMail = { subject: string; text: string; html?: string; unsubscribeUrl?: string };

/**
 * The welcome or confirmation mail, as text and as HTML. It holds nothing that a visitor typed.
 * @param links.button where the button leads
 * @param links.unsubscribe this person's page to unsubscribe; also named in the headers that mail programs read
 */
export function composeMail(
  copy: MailCopy,
  agency: Agency,
  links: { button: string; unsubscribe: string },
): ComposedMail {
  return {
    subject: copy.subject,
    text: asText(copy, agency, links),
    html: String(asHtml(copy, agency, links)),
    unsubscribeUrl: links.unsubscribe,
  };
}

/** One line to the agency. It goes to nobody else, and so may say who signed up. */
export function composeNotice({ email, role, source }: SignedUp): ComposedMail {
  return { subject: 'New sign-up', text: `${[email, role || 'no role given', source].join(', ')}\n` };
}

type Links = { button: string; unsubscribe: string };

function asText(copy: MailCopy, agency: Agency, links: Links): string {
  return [
    copy.heading,
    ...copy.paragraphs,
    `${copy.button}: ${links.button}`,
    `${agency.founder.name}\n${agency.name}`,
    `-- \n${copy.reason}\n${copy.unsubscribe}: ${links.unsubscribe}\n${officeOf(agency)}`,
  ].join('\n\n');
}

function asHtml(copy: MailCopy, agency: Agency, links: Links) {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${copy.subject}</title>
        <style>
          :root {
            color-scheme: light dark;
            supported-color-schemes: light dark;
          }
          body {
            margin: 0;
            padding: 24px 12px;
            background: #faf7f1;
            color: #13262b;
            font:
              17px/1.6 -apple-system,
              'Segoe UI',
              Figtree,
              Helvetica,
              Arial,
              sans-serif;
          }
          .card {
            max-width: 560px;
            margin: 0 auto;
            background: #fffdf9;
            border: 1px solid #e3ded3;
            border-radius: 20px;
            overflow: hidden;
          }
          .head {
            background: #0d3b38;
            color: #faf7f1;
            padding: 20px 32px;
            font:
              500 20px/1.2 Newsreader,
              Georgia,
              serif;
          }
          .dot {
            color: #f6b24a;
          }
          .body {
            padding: 12px 32px 24px;
          }
          h1 {
            margin: 20px 0 12px;
            font:
              500 30px/1.15 Newsreader,
              Georgia,
              serif;
            letter-spacing: -0.02em;
          }
          p {
            margin: 0 0 16px;
          }
          .button {
            display: inline-block;
            padding: 14px 28px;
            border-radius: 999px;
            background: #f6b24a;
            color: #13262b;
            font-weight: 600;
            text-decoration: none;
          }
          .foot {
            max-width: 560px;
            margin: 20px auto 0;
            padding: 0 32px;
            box-sizing: border-box;
            font-size: 14px;
            color: #4d5f61;
          }
          .foot a {
            color: #4d5f61;
          }
          @media (prefers-color-scheme: dark) {
            body {
              background: #13262b;
              color: #faf7f1;
            }
            .card {
              background: #0a2f2d;
              border-color: #14504a;
            }
            .foot,
            .foot a {
              color: #b9c6c3;
            }
          }
        </style>
      </head>
      <body>
        <div class="card">
          <div class="head"><span class="dot">&#9679;</span> ${agency.name}</div>
          <div class="body">
            <h1>${copy.heading}</h1>
            ${copy.paragraphs.map((paragraph) => html`<p>${paragraph}</p> `)}
            <p><a class="button" href="${links.button}">${copy.button}</a></p>
            <p>${agency.founder.name}<br />${agency.name}</p>
          </div>
        </div>
        <div class="foot">
          <p>${copy.reason} <a href="${links.unsubscribe}">${copy.unsubscribe}</a></p>
          <p>${officeOf(agency)}</p>
        </div>
      </body>
    </html> `;
}

/** A company's mail names it as its letters do (Companies Act 2006, section 82). */
function officeOf(agency: Agency): string {
  return `${companyLine(agency)}, ${addressLine(agency)}`;
}
