import { render, toPlainText } from '@react-email/render';
import type { ReactElement } from 'react';
import type { MailTemplate } from './mail-template.ts';

/** Renders a mail to HTML, and its text part from the same words. */
export async function renderMail(subject: string, mail: ReactElement): Promise<MailTemplate> {
  const html = await render(mail);
  return { subject, html, text: `${toPlainText(html, TEXT_OPTIONS)}\n` };
}

const TEXT_OPTIONS = {
  selectors: [
    ...['h1', 'h2', 'h3'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: '.band', format: 'skip' },
  ],
};
