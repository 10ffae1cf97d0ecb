import MailComposer from 'nodemailer/lib/mail-composer';
import type { Agency } from '#content/schemas/agency-schema.ts';

/** An email before it has a sender and a recipient. */
export type ComposedMail = {
  subject: string;
  text: string;
  html?: string;
  unsubscribeUrl?: string;
  /** Set for an email of an update, which gets the headers of bulk email. */
  updateId?: string | null;
};

/** Settings for all emails. */
type MailSettings = {
  agency: Agency;
  /** The address for unsubscribing by email; undefined if no mailbox is read. */
  unsubscribeTo: string | undefined;
};

/**
 * Writes an email as it is sent: headers, an empty line, and its parts.
 * @param id the delivery's; the email's Message-ID begins with it at every attempt
 */
export async function writeMessage(
  mail: ComposedMail,
  { id, to }: { id: string; to: string },
  settings: MailSettings,
): Promise<Buffer> {
  const { name, email } = settings.agency;
  const { subject, text, html, updateId } = mail;
  const composer = new MailComposer({
    messageId: `<${id}@${findDomain(email)}>`,
    from: { name, address: email },
    to: { name: '', address: to },
    subject,
    text,
    ...(html && { html }),
    ...(updateId && { replyTo: email }),
    headers: {
      // Relays that replace the Message-ID leave this header alone, so bounce reports quote it.
      'X-Delivery-ID': id,
      // Without it, Exchange's out-of-office replies to an update, or to many renewals, would fill the owner's mailbox.
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      ...(updateId ? makeBulkHeaders(mail, updateId, settings) : makeTransactionalHeaders(mail)),
    },
  });
  return composer.compile().build();
}

/**
 * Finds the email address of the bounce mailbox, if its login is one.
 * @param url BOUNCE_MAILBOX
 */
export function findMailboxEmail(url: string | undefined): string | undefined {
  const login = decodeURIComponent(URL.parse(url ?? '')?.username ?? '');
  return /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(login) ? login : undefined;
}

/** The headers of every email except updates. They suppress automatic replies (RFC 3834). */
function makeTransactionalHeaders({ unsubscribeUrl }: ComposedMail): MailHeaders {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && makeOneClickHeaders(`<${unsubscribeUrl}>`)),
  };
}

/** Headers of bulk email (RFC 2369, 2919 and 8058; Google defines Feedback-ID, which providers quote in complaints). */
function makeBulkHeaders(
  { unsubscribeUrl = '' }: ComposedMail,
  updateId: string,
  { agency: { email }, unsubscribeTo }: MailSettings,
): MailHeaders {
  const domain = findDomain(email);
  const token = unsubscribeUrl.slice(unsubscribeUrl.lastIndexOf('/') + 1);
  const byMail = unsubscribeTo ? `, <mailto:${unsubscribeTo}?subject=unsubscribe%20${token}>` : '';
  return {
    ...makeOneClickHeaders(`<${unsubscribeUrl}>${byMail}`),
    'List-Id': `<updates.${domain}>`,
    'Feedback-ID': `${updateId}:update:${domain}`,
  };
}

function findDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

function makeOneClickHeaders(targets: string): MailHeaders {
  return {
    // Not encoded: programs don't find URLs in encoded words.
    'List-Unsubscribe': { prepared: true, foldLines: true, value: targets },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

type MailHeaders = Record<string, string | { prepared: boolean; foldLines: boolean; value: string }>;
