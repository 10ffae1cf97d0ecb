import { mkdir, open } from 'node:fs/promises';
import { explainCodes } from '#shared/explain-codes.ts';
import { toDraftPath, toMailPath } from '../../database/outbox.ts';
import { renameFile } from '../../database/rename-file.ts';
import { DeliveryFailure } from '../delivery-failure.ts';
import { type MailConnection, openSmtpConnection, type OutgoingMail } from './smtp-connection.ts';

/** How email is sent: by SMTP, or written to files if there is no SMTP_URL. */
export type MailTransport = {
  /** Where email goes, for display: without a password. */
  place: string;
  /** Doesn't connect before the first email. */
  connect: () => MailConnection;
};

/**
 * @param options.smtpUrl SMTP_URL
 * @param options.outbox the folder for files, if there is no `smtpUrl`
 * @param options.from returns the sender's address, which may change while the server runs
 */
export function openMailTransport(options: {
  smtpUrl: string | undefined;
  outbox: string;
  from: () => string;
}): MailTransport {
  const { smtpUrl, outbox, from } = options;
  if (smtpUrl === undefined) {
    const files: MailConnection = { send: (mail) => writeMailFile(outbox, mail), close: () => undefined };
    return { place: `files in ${outbox}`, connect: () => files };
  }
  const { host } = new URL(smtpUrl);
  return { place: `${host} (SMTP_URL)`, connect: () => openSmtpConnection(smtpUrl, from) };
}

async function writeMailFile(outbox: string, { id, bytes }: OutgoingMail): Promise<void> {
  try {
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    // A file gets its name once it is complete; if it's written twice, there is still one file.
    const draft = toDraftPath(outbox, id);
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameFile(draft, toMailPath(outbox, id));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new DeliveryFailure(`the email could not be written to the outbox (${explainCodes(code)})`);
  }
}
