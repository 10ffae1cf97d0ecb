import { randomUUIDv7 } from 'node:crypto';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { type Environment, rejectLocalLinks } from '#settings/environment.ts';
import { toDeliverableEmail } from '#newsletter/subscribers/email.ts';
import type { Opened } from '../open-list.ts';
import { findMailboxEmail, writeMessage } from '../deliveries/smtp/mail-message.ts';
import { openMailTransport } from '../deliveries/smtp/mail-transport.ts';
import { fillTemplate } from '#newsletter/mails/mail-template.ts';
import { toOutboxPath } from '#newsletter/database/outbox.ts';
import { signToken, TOKEN_PATHS } from '#newsletter/subscribers/tokens.ts';
import { type ReadUpdate, rejectMissingPictures } from './read-update-file.ts';

/** @throws if it isn't an email address */
export function readEmail(text: string): string {
  const address = toDeliverableEmail(text);
  if (address === undefined) throw new Error(`Expected one email address, but found "${text}"`);
  return address;
}

/** @param to an address, as returned by `readEmail`. @returns the server that sent it. @throws if it is rejected */
export async function sendTestMail(
  { env, secret, agency }: Pick<Opened, 'env' | 'secret'> & { agency: Agency },
  read: ReadUpdate,
  to: string,
): Promise<string> {
  if (env.SMTP_URL === undefined) {
    throw new Error(
      'There is no mail account yet. Set one up under Settings on your desk: a test email goes to a real mailbox',
    );
  }
  rejectLocalLinks(env);
  await rejectMissingPictures(read, env.SITE_URL);
  const id = randomUUIDv7();
  const unsubscribe = makeTestLink(env, secret);
  const filled = fillTemplate(read.template, { unsubscribe, site: readSiteUrl(env) });
  const mail = {
    ...filled,
    subject: `[Test] ${read.template.subject}`,
    unsubscribeUrl: unsubscribe,
    updateId: id,
  };
  const settings = { agency, unsubscribeTo: findMailboxEmail(env.BOUNCE_MAILBOX) };
  const bytes = await writeMessage(mail, { id, to }, settings);
  const transport = openMailTransport({ smtpUrl: env.SMTP_URL, outbox: toOutboxPath(env), from: () => agency.email });
  const connection = transport.connect();
  try {
    await connection.send({ id, to, bytes }, new AbortController().signal);
  } finally {
    connection.close();
  }
  return transport.place;
}

/** An unsubscribe link for an id that no subscriber has: the page opens, its button works, and nothing changes. */
function makeTestLink(env: Environment, secret: string): string {
  return `${readSiteUrl(env)}${TOKEN_PATHS.unsubscribe}/${signToken('unsubscribe', randomUUIDv7(), secret)}`;
}

/** The origin with which links begin. */
export function readSiteUrl({ SITE_URL, PORT }: Pick<Environment, 'SITE_URL' | 'PORT'>): string {
  return SITE_URL ?? `http://localhost:${PORT}`;
}
