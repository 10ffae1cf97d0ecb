import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { explainCodes } from '#shared/explain-codes.ts';
import { quoteBriefly } from '#shared/redact-emails.ts';
import { DeliveryFailure, type Ending } from '../delivery-failure.ts';
import { findLoginAdvice } from './login-advice.ts';
import type { ReplyStage } from './reply-rules.ts';
import { findFault } from './smtp-replies.ts';
import { NO_ENCRYPTION, requireEncryption, UNTRUSTED_CERTIFICATE } from './smtp-url.ts';

export type MailConnection = {
  /**
   * @param signal aborts the attempt at once
   * @throws {DeliveryFailure} saying how it ended
   */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;
  close: () => void;
};

/** A composed email. In the outbox, its file is named after the delivery's id. */
export type OutgoingMail = { id: string; to: string; bytes: Buffer };

/**
 * One connection to a mail server, opened when it is needed and kept for the next email.
 * @param smtpUrl its query may set any of nodemailer's SMTP options, for example `?name=mail.example.org`
 * @param from returns the sender's address
 */
export function openSmtpConnection(smtpUrl: string, from: () => string): MailConnection {
  let session: Session | undefined;
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(idle);
    session?.smtp.close();
    session = undefined;
  };
  return {
    close,
    send: async (mail, signal) => {
      clearTimeout(idle);
      if (session?.smtp.destroyed) close();
      try {
        session ??= await logIn(smtpUrl, signal);
        // A server without SMTPUTF8 would reject the email, or mangle the address.
        if (!session.takesUtf8 && /[\u0080-\uffff]/.test(mail.to))
          throw new DeliveryFailure(NO_UTF8, { kind: 'rejected', fault: 'mailbox' });
        await sendMessage(session.smtp, from(), mail, signal);
        idle = setTimeout(close, IDLE_MS).unref();
      } catch (error) {
        // After a rejection, a server may still expect a recipient, and reply to MAIL with 503. A new session avoids
        // this.
        close();
        throw error;
      }
    },
  };
}

/** A connection that is logged in. */
type Session = {
  smtp: SMTPConnection;
  /** Whether the server accepts non-ASCII local parts (SMTPUTF8, RFC 6531). */
  takesUtf8: boolean;
};

/** For the owner. */
const NO_UTF8 =
  'your mail server doesn’t accept addresses with letters such as “ü” before the @ (it doesn’t support SMTPUTF8); this person needs another address';

/** How long an unused connection stays open, in milliseconds: mail servers close idle ones. */
const IDLE_MS = 20_000;

/** RFC 5321, section 4.5.3.2: five minutes for the first reply, ten for the reply to an email. */
const TIMEOUTS = { connectionTimeout: 5 * 60_000, greetingTimeout: 5 * 60_000, socketTimeout: 10 * 60_000 };

/** Limits for a whole login and a whole email, however slowly the replies arrive. */
const LOGIN_TIMEOUT_MS = 5 * 60_000;
const MAIL_TIMEOUT_MS = 40 * 60_000;

async function logIn(smtpUrl: string, signal: AbortSignal): Promise<Session> {
  const { options, auth } = new SMTPTransport(requireEncryption(smtpUrl));
  const smtp = new SMTPConnection({ ...TIMEOUTS, ...options });
  // Without a listener, an error between two emails would end the process.
  smtp.on('error', ignore);
  let takesUtf8 = false;
  try {
    await runWithin(smtp, LOGIN_TIMEOUT_MS, signal, (done) => {
      smtp.once('error', done);
      smtp.once('end', () => done(new Error('closed')));
      smtp.connect((error) => {
        takesUtf8 = /[ -]SMTPUTF8\b/i.test(smtp.lastServerResponse || '');
        // A server that doesn't offer a login doesn't require one.
        if (error || !auth || !smtp.allowsAuth) done(error);
        else smtp.login(auth, done);
      });
    });
    return { smtp, takesUtf8 };
  } catch (error) {
    smtp.close();
    throw toFailure(error, 'connection', '', options.host);
  }
}

const ignore = () => undefined;

async function sendMessage(
  smtp: SMTPConnection,
  from: string,
  { to, bytes }: OutgoingMail,
  signal: AbortSignal,
): Promise<void> {
  // The message is read only once the mail server has accepted DATA, and then in one go, with the final dot.
  const message = Readable.from([bytes]);
  try {
    await runWithin(smtp, MAIL_TIMEOUT_MS, signal, (done) => {
      smtp.send({ from, to: [to], size: bytes.length }, message, done);
    });
  } catch (error) {
    throw toFailure(error, message.readableDidRead ? 'after the dot' : 'before the email', to);
  }
}

type Done = (error?: Error | null) => void;

/** Rejects when the time is up, when `signal` aborts, or when the work fails; the connection is then unusable. */
async function runWithin(
  smtp: SMTPConnection,
  timeoutMs: number,
  signal: AbortSignal,
  work: (done: Done) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (code: string) => {
    reject(Object.assign(new Error('ended'), { code }));
    smtp.close();
  };
  const abort = () => end('ABORTED');
  const timer = setTimeout(end, timeoutMs, 'ETIMEDOUT');
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    work((error) => (error ? reject(error) : resolve()));
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** How far the conversation with the mail server got. */
type Stage = 'connection' | 'before the email' | 'after the dot';

/** A failure as nodemailer reports it; `originalCode` is the system’s, `command` is the one that was replied to. */
type SmtpError = { code?: string; originalCode?: string; command?: string; response?: string; message: string };

/**
 * @param to the recipient; the part before the @ is left out of the reason
 * @param host the mail server, for advice about its login
 */
function toFailure(error: unknown, stage: Stage, to: string, host = ''): DeliveryFailure {
  const smtpError = error as SmtpError;
  const { code, response = '' } = smtpError;
  const reason = describeFailure(smtpError, stage, quoteReply(response, to));
  const advice = code === 'EAUTH' ? findLoginAdvice(response, host) : undefined;
  return new DeliveryFailure(advice ? `${reason}. ${advice}` : reason, findEnding(smtpError, stage));
}

/** For the owner: a sentence, then the mail server's own reply in brackets. */
function describeFailure(error: SmtpError, stage: Stage, reply: string): string {
  const { code = '', originalCode = code, message } = error;
  if (code === 'ETLS' && !reply.startsWith('4') && !/certificate/.test(message)) return NO_ENCRYPTION;
  if (reply !== '') return `${describeRejection(error, stage)}${reply.startsWith('4') ? ' for now' : ''} (${reply})`;
  if (/certificate/.test(message)) {
    // Node's own advice is for engineers.
    const reason = message.replace(/^Error initiating TLS - |; if the root CA .*$/g, '');
    return `${UNTRUSTED_CERTIFICATE} (${reason})`;
  }
  if (code === TOO_LARGE) return `the mail server doesn’t accept emails of this size (${message})`;
  if (code === 'ETIMEDOUT') return `the mail server didn’t respond in time (${stage})`;
  if (code === 'ABORTED') return `the server was stopped before the mail server answered (${stage})`;
  if (stage !== 'connection') return `the connection to the mail server ended (${stage})`;
  const explained = explainCodes(originalCode);
  return `the mail server cannot be reached (${explained === originalCode ? explainCodes(code) || 'the connection ended' : explained})`;
}

function describeRejection({ code, command }: SmtpError, stage: Stage): string {
  if (code === 'EAUTH') return 'the mail server rejects the login';
  if (stage === 'connection') return 'the mail server rejects every connection';
  if (command === 'MAIL FROM') return 'the mail server rejects the sender';
  return command === 'RCPT TO' ? 'the mail server rejects this recipient' : 'the mail server rejects the email';
}

function findEnding({ code, command, response = '' }: SmtpError, stage: Stage): Ending {
  if (stage === 'connection') return { kind: 'no login' };
  if (/^[45]/.test(response)) {
    return readReply(command === 'MAIL FROM' || command === 'RCPT TO' ? command : 'DATA', response);
  }
  if (code === TOO_LARGE) return { kind: 'rejected', fault: 'sender' };
  return { kind: stage === 'after the dot' ? 'unanswered' : 'deferred' };
}

function readReply(stage: ReplyStage, response: string): Ending {
  const fault = findFault(stage, response);
  if (fault === 'limit') return { kind: 'limited', pauseMs: readLimitPause(response) };
  if (fault === 'full') return { kind: 'deferred', fault };
  return response.startsWith('5') ? { kind: 'rejected', fault } : { kind: 'deferred' };
}

/** How long a limit lasts, in milliseconds: a minute or an hour if the reply says or suggests so, otherwise a day. */
function readLimitPause(reply: string): number {
  if (/\bsessions?\b|\bconnections?\b/i.test(reply)) return HOUR_MS / 60;
  if (/24.?hour|\b(?:daily|day|week\w*|month\w*)\b/i.test(reply)) return DAY_MS;
  return /\b(?:hour|rate|slow)/i.test(reply) || reply.startsWith('4') ? HOUR_MS : DAY_MS;
}

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** nodemailer's code for an email that exceeds the mail server's size limit (RFC 1870), and so was not sent. */
const TOO_LARGE = 'EMESSAGE';

/** Quotes a reply in one line, without the recipient's local part, which some servers quote without the domain. */
function quoteReply(response: string, to: string): string {
  const reply = quoteBriefly(response, MAX_REPLY);
  const name = to.slice(0, to.lastIndexOf('@')).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return name === '' ? reply : reply.replace(new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu'), '…');
}

/** In characters; a sentence comes before it. */
const MAX_REPLY = 200;
