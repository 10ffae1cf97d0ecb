import { randomUUIDv7 } from 'node:crypto';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { writeMessage } from '../deliveries/smtp/mail-message.ts';
import { openSmtpConnection } from '../deliveries/smtp/smtp-connection.ts';

/**
 * Sends a test email through a mail account.
 * @param smtpUrl as SMTP_URL
 * @throws an error with the mail server's own reply
 */
export async function tryMailAccount(smtpUrl: string, { to, agency }: { to: string; agency: Agency }): Promise<void> {
  const id = randomUUIDv7();
  const mail = {
    subject: 'Your mail account works',
    text: `The site of ${agency.name} will send its emails through this account.\n`,
  };
  const bytes = await writeMessage(mail, { id, to }, { agency, unsubscribeTo: undefined });
  const connection = openSmtpConnection(smtpUrl, () => agency.email);
  const signal = AbortSignal.timeout(TRY_MS);
  try {
    await connection.send({ id, to, bytes }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`the mail server didn’t respond within ${TRY_MS / 1000} seconds; check its name and the port`, {
      cause: error,
    });
  } finally {
    connection.close();
  }
}

/** The owner is waiting for the result. */
const TRY_MS = 25_000;
