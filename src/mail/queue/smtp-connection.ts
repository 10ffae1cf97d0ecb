import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { explainCodes } from '#shared/explain-codes.ts';
import { quoteBriefly } from '#shared/without-addresses.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { type Answer, namesMailbox, readExtendedCode, type Stage, STAGES } from './failure-table.ts';
import { NO_ENCRYPTION, requireEncryption, UNTRUSTED_CERTIFICATE } from './smtp-url.ts';

/** How long each stage may take, in milliseconds: RFC 5321, section 4.5.3.2. */
export type StageTimeouts = Record<Stage, number>;

export const STAGE_TIMEOUTS_MS: StageTimeouts = {
  connection: 5 * 60_000,
  'MAIL FROM': 5 * 60_000,
  'RCPT TO': 5 * 60_000,
  data: 2 * 60_000,
  'after the dot': 10 * 60_000,
};

export type MailConnection = {
  /**
   * @param signal ends the conversation at once
   * @throws {DeliveryFailure} saying at which stage which answer came
   */
  send: (mail: OutgoingMail, signal: AbortSignal) => Promise<void>;
  close: () => void;
};

/** A mail as it leaves; its delivery's id names its file. */
export type OutgoingMail = { id: string; to: string; bytes: Buffer };

/** A connection that is logged in. */
type Session = {
  smtp: SMTPConnection;
  /** Called for each reply of the mail server. */
  onReply: () => void;
};

/**
 * One connection to a mail server, opened when it is needed and kept for the next mail.
 * @param smtpUrl its query may set any of nodemailer's SMTP options, such as `?name=mail.example.org`
 * @param from the sender's address
 */
export function openSmtpConnection(smtpUrl: string, from: string, timeouts: StageTimeouts): MailConnection {
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
        session ??= await openSession(smtpUrl, timeouts.connection, signal);
        await sendMessage(session, from, mail, timeouts, signal);
        idle = setTimeout(close, IDLE_MS).unref();
      } catch (error) {
        // A server that refused a mail may still expect its next recipient (503), so the next mail begins a session.
        close();
        throw error;
      }
    },
  };
}

/**
 * Connects and logs in, and sends nothing.
 * @throws {DeliveryFailure}
 */
export async function tryLogin(smtpUrl: string, timeoutMs: number): Promise<void> {
  const { smtp } = await openSession(smtpUrl, timeoutMs, new AbortController().signal);
  smtp.close();
}

/** Mail servers end connections on which nothing comes for long; ours ends first, in milliseconds. */
const IDLE_MS = 20_000;

async function openSession(smtpUrl: string, timeoutMs: number, signal: AbortSignal): Promise<Session> {
  const { options, auth } = new SMTPTransport(requireEncryption(smtpUrl));
  const smtp = new SMTPConnection({
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    ...options,
    transactionLog: true,
    logger: { debug: ({ tnx }: { tnx?: string }) => tnx === 'server' && session.onReply() },
  });
  const session: Session = { smtp, onReply: ignore };
  // An error between two mails only ends the session; one during a mail is also given to its callback.
  smtp.on('error', ignore);
  try {
    await runWithin(smtp, timeoutMs, signal, (done) => {
      smtp.once('error', done);
      smtp.once('end', () => done(Object.assign(new Error('closed'), lastReply(smtp))));
      smtp.connect((error) => {
        // A server that offers no login wants none.
        if (error || !auth || !smtp.allowsAuth) done(error);
        else smtp.login(auth, done);
      });
    });
    return session;
  } catch (error) {
    smtp.close();
    throw toFailure(error, 'connection', '');
  }
}

const ignore = () => undefined;

/** A server that refuses the connection itself says why and ends it. */
function lastReply({ lastServerResponse }: SMTPConnection): { response?: string } {
  return typeof lastServerResponse === 'string' && /^[45]/.test(lastServerResponse)
    ? { response: lastServerResponse }
    : {};
}

async function sendMessage(
  session: Session,
  from: string,
  { to, bytes }: OutgoingMail,
  timeouts: StageTimeouts,
  signal: AbortSignal,
): Promise<void> {
  let replies = 0;
  try {
    await runWithin(session.smtp, timeouts['MAIL FROM'], signal, (done, extend) => {
      session.onReply = () => {
        replies += 1;
        extend(timeouts[findStage(replies)]);
      };
      session.smtp.send({ from, to: [to], size: bytes.length }, bytes, done);
    });
  } catch (error) {
    const { command, response } = error as SmtpError;
    // Commands may leave together; a refusal names the one that it answers.
    const isEnvelope = command === 'MAIL FROM' || command === 'RCPT TO';
    throw toFailure(error, isEnvelope ? command : findStage(response === undefined ? replies : replies - 1), to);
  } finally {
    session.onReply = ignore;
  }
}

/**
 * Each reply ends a stage. The whole message and its final dot leave as soon as the mail server has answered DATA.
 * @param replies how many have come to this mail
 */
function findStage(replies: number): Stage {
  return STAGES_OF_MAIL[replies] ?? 'after the dot';
}

const [, ...STAGES_OF_MAIL] = STAGES;

type Done = (error?: Error | null) => void;

/** Rejects when the time is over, when `signal` aborts, or when the work fails; then the connection is of no use. */
async function runWithin(
  smtp: SMTPConnection,
  timeoutMs: number,
  signal: AbortSignal,
  work: (done: Done, extend: (timeoutMs: number) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (code: string) => {
    reject(Object.assign(new Error('no answer in time'), { code }));
    smtp.close();
  };
  const abort = () => end('ABORTED');
  let timer = setTimeout(end, timeoutMs, 'ETIMEDOUT');
  const extend = (extendedMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(end, extendedMs, 'ETIMEDOUT');
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    work((error) => (error ? reject(error) : resolve()), extend);
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** A failure as nodemailer reports it; `originalCode` is the system’s, `command` is the one that was answered. */
type SmtpError = { code?: string; originalCode?: string; command?: string; response?: string; message: string };

/** @param to whose name is kept out of the reason */
function toFailure(error: unknown, stage: Stage, to: string): DeliveryFailure {
  const { code, response = '' } = error as SmtpError;
  const reason = describeFailure(error as SmtpError, stage, quoteReply(response, to));
  const hasCode = readExtendedCode(response) !== undefined;
  return new DeliveryFailure(reason, { stage, answer: toAnswer(code, response, stage), hasCode });
}

/** For the owner: a sentence, then the mail server's own reply in brackets. */
function describeFailure({ code = '', originalCode = code, message }: SmtpError, stage: Stage, reply: string): string {
  if (code === 'ETLS' && !reply.startsWith('4') && !/certificate/.test(message)) return NO_ENCRYPTION;
  const refusal = code === 'EAUTH' ? 'the mail server refuses the login' : REFUSALS[stage];
  if (reply !== '') return `${refusal}${reply.startsWith('4') ? ' for now' : ''} (${reply})`;
  if (/certificate/.test(message)) {
    return `${UNTRUSTED_CERTIFICATE} (${message.replace(/^Error initiating TLS - /, '')})`;
  }
  if (code === TOO_LARGE) return `the mail server takes no email of this size (${message})`;
  if (code === 'ETIMEDOUT') return `the mail server gave no answer in time (${stage})`;
  if (code === 'ABORTED') return `the server was stopped before the mail server answered (${stage})`;
  if (stage !== 'connection') return `the connection to the mail server ended (${stage})`;
  const words = explainCodes(originalCode);
  return `the mail server cannot be reached (${words === originalCode ? explainCodes(code) || 'the connection ended' : words})`;
}

const REFUSALS: Record<Stage, string> = {
  connection: 'the mail server lets nobody in',
  'MAIL FROM': 'the mail server refuses the sender',
  'RCPT TO': 'the mail server refuses this recipient',
  data: 'the mail server refuses the email',
  'after the dot': 'the mail server refuses the email',
};

function toAnswer(code: string | undefined, response: string, stage: Stage): Answer {
  if (response.startsWith('4')) return '4xx';
  if (response.startsWith('5')) return namesMailbox(stage, response) ? 'no such mailbox' : '5xx';
  if (code === TOO_LARGE) return '5xx';
  return code === 'ETIMEDOUT' ? 'silence' : 'closed';
}

/** Without a reply: the mail is larger than the mail server has said that it takes (RFC 1870), and was not sent. */
const TOO_LARGE = 'EMESSAGE';

/** One line, its codes once, without the name: some servers name a mailbox without its domain. */
function quoteReply(response: string, to: string): string {
  const again = /^\d{3}[ -]\d\.\d/.test(response) ? /\n\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3}\b)?/g : /\n\d{3}[ -]/g;
  const reply = quoteBriefly(response.replace(/^(\d{3})-/, '$1 ').replaceAll(again, ' '), MAX_REPLY);
  const name = to.slice(0, to.lastIndexOf('@')).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return name === '' ? reply : reply.replace(new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, 'giu'), '…');
}

/** In characters; a sentence comes before it. */
const MAX_REPLY = 200;
