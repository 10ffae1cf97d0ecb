import MailComposer from 'nodemailer/lib/mail-composer';
import type { Agency } from '#shared/agency-schema.ts';
import type { BulkHeaders, ComposedMail } from '../templates/compose-mail.ts';

/** Everything the header of a mail is made of, beside its content. */
export type Headers = {
  /** The delivery's id and the host of this list's mails: the same at each attempt. */
  messageId: string;
  to: string;
};

/** A mail as it leaves: headers, an empty line, and its parts. */
export async function writeMessage({ messageId, to }: Headers, mail: ComposedMail, agency: Agency): Promise<Buffer> {
  const composer = new MailComposer({
    messageId: `<${messageId}>`,
    from: { name: agency.name, address: agency.email },
    to: { name: '', address: to },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html && { html: mail.html }),
    ...(mail.bulk && { replyTo: mail.bulk.replyTo }),
    headers: mail.bulk ? makeBulkHeaders(mail.bulk, mail.unsubscribeUrl ?? '') : makeAnswerHeaders(mail.unsubscribeUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Of a mail that answers something a person did. No out-of-office answers, please (RFC 3834). */
function makeAnswerHeaders(unsubscribeUrl: string | undefined): MailHeaders {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && makeOneClickHeaders(`<${unsubscribeUrl}>`)),
  };
}

/** Of a mail to many (RFC 2369, 2919 and 8058; Feedback-ID is Google's). */
function makeBulkHeaders({ listId, feedbackId, unsubscribeAddress }: BulkHeaders, unsubscribeUrl: string): MailHeaders {
  const token = unsubscribeUrl.slice(unsubscribeUrl.lastIndexOf('/') + 1);
  const byMail = unsubscribeAddress ? `, <mailto:${unsubscribeAddress}?subject=unsubscribe%20${token}>` : '';
  return {
    ...makeOneClickHeaders(`<${unsubscribeUrl}>${byMail}`),
    'List-Id': `<${listId}>`,
    'Feedback-ID': feedbackId,
  };
}

function makeOneClickHeaders(targets: string): MailHeaders {
  return {
    // As it is: broken into encoded words, an address would be none.
    'List-Unsubscribe': { prepared: true, foldLines: true, value: targets },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

type MailHeaders = Record<string, string | { prepared: boolean; foldLines: boolean; value: string }>;
