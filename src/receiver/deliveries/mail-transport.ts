import { mkdir, open, rename } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import type { Agency } from '#shared/content-schema.ts';
import { mailDraft, mailFile } from '../outbox.ts';
import type { ComposedMail } from './compose-mail.ts';
import { withoutAddresses } from '../without-addresses.ts';
import { DeliveryFailure } from './delivery-failure.ts';

/** How mail leaves: by SMTP, or as files where no SMTP server is named. */
export type MailTransport = {
  /** For a person: where mail goes, without any password. */
  place: string;
  /**
   * @param id the delivery's, so that the same mail sent twice has the same Message-ID
   * @throws {DeliveryFailure}
   */
  send: (id: string, to: string, mail: ComposedMail) => Promise<void>;
};

/**
 * @param smtpUrl SMTP_URL; its query may set any of nodemailer's SMTP options, such as `?socketTimeout=5000`
 * @param outbox the folder for files, when there is no `smtpUrl`
 */
export function openMailTransport(smtpUrl: string | undefined, outbox: string, agency: Agency): MailTransport {
  return smtpUrl === undefined ? fileTransport(outbox, agency) : smtpTransport(smtpUrl, agency);
}

/** Longest time for one mail, in milliseconds; a claim on a delivery lasts longer. */
export const SEND_TIMEOUT_MS = 60_000;

function smtpTransport(smtpUrl: string, agency: Agency): MailTransport {
  const url = new URL(smtpUrl);
  for (const [name, milliseconds] of Object.entries(TIMEOUTS_MS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds));
  }
  const transport = createTransport({ url: url.href });
  return {
    place: `${url.hostname}${url.port && `:${url.port}`} (SMTP_URL)`,
    send: async (id, to, mail) => {
      try {
        await transport.sendMail({ ...message(id, to, mail, agency), signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
      } catch (error) {
        throw smtpFailure(error, to);
      }
    },
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
  const reason = `${command ?? 'SMTP'}: ${response ?? code ?? (error as Error).message}`;
  return new DeliveryFailure(withoutName(reason, to), isPermanent);
}

/** Some servers name a mailbox without its domain: "user anna unknown". */
function withoutName(reason: string, to: string): string {
  const name = to.slice(0, to.lastIndexOf('@'));
  const alone = new RegExp(
    `(?<![\\p{L}\\p{N}])${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
    'giu',
  );
  return withoutAddresses(reason).replace(alone, '…');
}

function fileTransport(outbox: string, agency: Agency): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    place: `files in ${outbox}`,
    send: async (id, to, mail) => {
      const { message: bytes } = await transport.sendMail(message(id, to, mail, agency));
      try {
        await mkdir(outbox, { recursive: true, mode: 0o700 });
        // A file has its name only when it is whole; written twice it is still one file.
        const draft = mailDraft(outbox, id);
        const file = await open(draft, 'w', 0o600);
        try {
          await file.writeFile(bytes as Buffer);
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
    text: mail.text,
    ...(mail.html && { html: mail.html }),
    headers: {
      // No out-of-office answers (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(mail.unsubscribeUrl && { list: { unsubscribe: mail.unsubscribeUrl } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
