import { mkdir, open, rename } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import type { Agency } from '#shared/content-schema.ts';
import { mailDraft, mailFile } from '#store/outbox.ts';
import type { BulkHeaders, ComposedMail } from '../templates/compose-mail.ts';
import { withoutAddresses } from '#shared/without-addresses.ts';
import { NO_ENCRYPTION, requireEncryption } from './smtp-url.ts';
import { DeliveryFailure, type Refused } from './delivery-failure.ts';

/** How mail leaves: by SMTP, or as files where no SMTP server is named. */
export type MailTransport = {
  /** For a person: where mail goes, without any password. */
  place: string;
  /**
   * @param id the delivery's, so that the same mail sent twice has the same Message-ID
   * @throws {DeliveryFailure}
   */
  send: (id: string, to: string, mail: ComposedMail) => Promise<void>;
  /** Ends the connections that are kept for the next mail. */
  close: () => void;
};

/**
 * @param options.smtpUrl SMTP_URL; its query may set any of nodemailer's SMTP options, such as `?socketTimeout=5000`
 * @param options.outbox the folder for files, when there is no `smtpUrl`
 * @param options.connections how many connections to the mail server are kept open at most
 */
export function openMailTransport(options: {
  smtpUrl: string | undefined;
  outbox: string;
  connections: number;
  agency: Agency;
}): MailTransport {
  const { smtpUrl, outbox, connections, agency } = options;
  return smtpUrl === undefined ? fileTransport(outbox, agency) : smtpTransport(smtpUrl, connections, agency);
}

/** Longest time for one mail, in milliseconds; a claim on a delivery lasts longer. */
export const SEND_TIMEOUT_MS = 60_000;

function smtpTransport(smtpUrl: string, connections: number, agency: Agency): MailTransport {
  const url = new URL(requireEncryption(smtpUrl));
  for (const [name, milliseconds] of Object.entries(TIMEOUTS_MS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds));
  }
  // One greeting and one login for many mails. A connection that the server ends is opened again for the next mail.
  const transport = createTransport({ url: url.href, pool: true, maxConnections: connections, maxMessages: Infinity });
  return {
    place: `${url.hostname}${url.port && `:${url.port}`} (SMTP_URL)`,
    send: async (id, to, mail) => {
      const late = new AbortController();
      // Not AbortSignal.timeout: that holds on to each mail until its time is over, thousands at once.
      const timer = setTimeout(() => late.abort(), SEND_TIMEOUT_MS);
      try {
        await transport.sendMail({ ...message(id, to, mail, agency), signal: late.signal });
      } catch (error) {
        throw smtpFailure(error, to);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

function smtpFailure(error: unknown, to: string): DeliveryFailure {
  const { code, command, response, responseCode } = error as {
    code?: string;
    command?: string;
    response?: string;
    responseCode?: number;
  };
  // A refused login or greeting says nothing of this mail: the owner mends it, and then it goes out.
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isPermanent = isAboutThisMail && responseCode !== undefined && responseCode >= 500 && responseCode !== 530;
  const reason =
    code === 'ETLS' ? NO_ENCRYPTION : `${command ?? 'SMTP'}: ${response ?? code ?? (error as Error).message}`;
  return new DeliveryFailure(
    withoutName(reason, to),
    isPermanent,
    refusedBy({ code, command, response, responseCode }),
  );
}

function refusedBy(error: {
  code: string | undefined;
  command: string | undefined;
  response: string | undefined;
  responseCode: number | undefined;
}): Refused | undefined {
  const { code, command, response = '', responseCode = 0 } = error;
  if (code === 'EAUTH') return 'login';
  if (PACE_CODES.has(responseCode)) return 'pace';
  // A full mailbox (5.2.2), a policy (5.7) or a fault of the route (5.3, 5.4) says nothing of the address itself.
  const isOfAddress = !/^\d{3}[ -]5\.(2\.2|3|4|7)/.test(response);
  return command === 'RCPT TO' && responseCode >= 500 && isOfAddress ? 'recipient' : undefined;
}

/** Try again later: too many connections or mails, or too fast (RFC 5321, section 4.2.3). */
const PACE_CODES = new Set([421, 450, 451, 452]);

/** Some servers name a mailbox without its domain: "user anna unknown". */
function withoutName(reason: string, to: string): string {
  const name = to.slice(0, to.lastIndexOf('@'));
  const alone = new RegExp(
    `(?<![\\p{L}\\p{N}])${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
    'giu',
  );
  return withoutAddresses(reason).replace(alone, '…');
}

/** A mail as it leaves: headers, an empty line, and its parts. */
export async function writeMessage(id: string, to: string, mail: ComposedMail, agency: Agency): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message: bytes } = await transport.sendMail(message(id, to, mail, agency));
  return bytes as Buffer;
}

function fileTransport(outbox: string, agency: Agency): MailTransport {
  return {
    place: `files in ${outbox}`,
    close: () => undefined,
    send: async (id, to, mail) => {
      const bytes = await writeMessage(id, to, mail, agency);
      try {
        await mkdir(outbox, { recursive: true, mode: 0o700 });
        // A file has its name only when it is whole; written twice it is still one file.
        const draft = mailDraft(outbox, id);
        const file = await open(draft, 'w', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, mailFile(outbox, id));
      } catch (error) {
        throw new DeliveryFailure(`outbox: ${(error as NodeJS.ErrnoException).code ?? 'not written'}`);
      }
    },
  };
}

function message(id: string, to: string, mail: ComposedMail, agency: Agency) {
  return {
    messageId: `<${id}@${agency.email.split('@')[1]}>`,
    from: { name: agency.name, address: agency.email },
    to: { name: '', address: to },
    subject: mail.subject,
    ...('parts' in mail
      ? { alternatives: mail.parts.map((raw) => ({ raw })) }
      : { text: mail.text, ...(mail.html && { html: mail.html }) }),
    ...(mail.bulk && { replyTo: mail.bulk.replyTo }),
    headers: mail.bulk ? bulkHeaders(mail.bulk, mail.unsubscribeUrl ?? '') : answerHeaders(mail.unsubscribeUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Of a mail that answers something a person did. No out-of-office answers, please (RFC 3834). */
function answerHeaders(unsubscribeUrl: string | undefined): MailHeaders {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && oneClickHeaders(`<${unsubscribeUrl}>`)),
  };
}

/** Of a mail to many (RFC 2369, 2919 and 8058; Feedback-ID is Google's). */
function bulkHeaders({ listId, feedbackId, unsubscribeAddress }: BulkHeaders, unsubscribeUrl: string): MailHeaders {
  const token = unsubscribeUrl.slice(unsubscribeUrl.lastIndexOf('/') + 1);
  const byMail = unsubscribeAddress ? `, <mailto:${unsubscribeAddress}?subject=unsubscribe%20${token}>` : '';
  return {
    ...oneClickHeaders(`<${unsubscribeUrl}>${byMail}`),
    'List-Id': `<${listId}>`,
    'Feedback-ID': feedbackId,
  };
}

function oneClickHeaders(targets: string): MailHeaders {
  return {
    // As it is: broken into encoded words, an address would be none.
    'List-Unsubscribe': { prepared: true, foldLines: true, value: targets },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

type MailHeaders = Record<string, string | { prepared: boolean; foldLines: boolean; value: string }>;
