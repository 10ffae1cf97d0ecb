import { mkdir, open, rename } from 'node:fs/promises';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { Agency } from '#shared/agency-schema.ts';
import { explainCodes } from '#shared/explain-codes.ts';
import { mailDraft, mailFile } from '#store/outbox.ts';
import type { ComposedMail } from '../templates/compose-mail.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { writeMessage } from './mail-message.ts';
import { openSmtpConnection, STAGE_TIMEOUTS_MS, type StageTimeouts } from './smtp-connection.ts';
import { requireEncryption } from './smtp-url.ts';

/** How mail leaves: by SMTP, or as files where no SMTP server is named. */
export type MailTransport = {
  /** For a person: where mail goes, without any password. */
  place: string;
  /** Nothing is opened before the first mail. */
  connect: () => MailConnection;
};

export type MailConnection = {
  /**
   * @param id the delivery's; it names the file, and begins the Message-ID
   * @param host ends the Message-ID
   * @param signal ends the conversation at once
   * @throws {DeliveryFailure}
   */
  send: (mail: { id: string; host: string; to: string; mail: ComposedMail }, signal: AbortSignal) => Promise<void>;
  close: () => void;
};

/**
 * @param options.smtpUrl SMTP_URL; its query may set any of nodemailer's SMTP options, such as `?name=mail.example.org`
 * @param options.outbox the folder for files, when there is no `smtpUrl`
 */
export function openMailTransport(options: {
  smtpUrl: string | undefined;
  outbox: string;
  agency: Agency;
  timeouts?: StageTimeouts;
}): MailTransport {
  const { smtpUrl, outbox, agency, timeouts = STAGE_TIMEOUTS_MS } = options;
  return smtpUrl === undefined ? openFileTransport(outbox, agency) : openSmtpTransport(smtpUrl, agency, timeouts);
}

function openSmtpTransport(smtpUrl: string, agency: Agency, timeouts: StageTimeouts): MailTransport {
  const { hostname, port } = new URL(smtpUrl);
  const { options, auth } = new SMTPTransport(requireEncryption(smtpUrl));
  return {
    place: `${hostname}${port && `:${port}`} (SMTP_URL)`,
    connect: () => {
      const connection = openSmtpConnection({ ...options, auth: auth || undefined }, timeouts);
      return {
        close: connection.close,
        send: async ({ id, host, to, mail }, signal) => {
          const bytes = await writeMessage({ messageId: `${id}@${host}`, to }, mail, agency);
          await connection.send({ from: agency.email, to, bytes }, signal);
        },
      };
    },
  };
}

function openFileTransport(outbox: string, agency: Agency): MailTransport {
  const send: MailConnection['send'] = async ({ id, host, to, mail }) => {
    const bytes = await writeMessage({ messageId: `${id}@${host}`, to }, mail, agency);
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
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new DeliveryFailure(`the mail could not be written to the outbox (${explainCodes(code)})`);
    }
  };
  return { place: `files in ${outbox}`, connect: () => ({ send, close: () => undefined }) };
}
