import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { listenOnFreePort } from '../../listen-on-free-port.ts';

export type ReceivedMail = Omit<Email, 'to'> & { to: string; raw: string };

/** How far a client is: its last command. */
export type SmtpStep = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'dot';

/** A failure at a step: a reply, silence, or the end of the connection. */
export type SmtpBehaviour = `${4 | 5}${string}` | 'silence' | 'close';

export type SmtpServer = {
  url: string;
  /** Every email that arrived completely, in order, accepted or not. */
  mails: ReceivedMail[];
  /** The accepted emails. */
  taken: ReceivedMail[];
  /** @returns undefined to continue; a promise keeps the client waiting */
  behave: (step: SmtpStep, to: string) => SmtpBehaviour | undefined | Promise<SmtpBehaviour | undefined>;
  /** Further extensions, such as PIPELINING (RFC 2920). */
  extension: 'PIPELINING' | 'SIZE 100' | 'SMTPUTF8' | 'STARTTLS' | undefined;
  /** Closes every connection, as servers do with idle ones. */
  hangUp: () => void;
  /** Makes clients wait for the reply to a complete email. */
  beforeAccepting?: () => Promise<void> | void;
};

const REPLIES: Record<SmtpStep, string> = {
  greeting: '220 smtp.example',
  EHLO: '250-smtp.example\r\n250-AUTH PLAIN\r\n250 8BITMIME',
  // It has no certificate.
  STARTTLS: '454 4.7.0 TLS not available due to temporary reason',
  AUTH: '235 2.7.0 ok',
  'MAIL FROM': '250 2.1.0 ok',
  'RCPT TO': '250 2.1.5 ok',
  DATA: '354 go on',
  dot: '250 2.0.0 taken',
};

const pem = readFileSync(new URL('../../localhost.pem', import.meta.url));
/** Self-signed, for loopback. */
export const CERTIFICATE = { key: pem, cert: pem };

/**
 * A mail server that can fail at any step as real providers do: it can defer, limit, reject, stay silent or hang up.
 */
export async function startSmtp(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    void converse(socket, smtp).catch(() => undefined);
  });
  const { port, stop } = await listenOnFreePort(server);
  const url = `smtp://user:password@127.0.0.1:${port}`;
  const hangUp = () => {
    for (const socket of sockets) socket.end('421 4.4.2 idle for too long\r\n');
  };
  const smtp: SmtpServer = { url, mails: [], taken: [], behave: () => undefined, extension: undefined, hangUp };
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return stop();
  });
  return smtp;
}

/** The same behaviour at one step of every email. */
export function at(step: SmtpStep, behaviour: SmtpBehaviour): SmtpServer['behave'] {
  return (reached) => (reached === step ? behaviour : undefined);
}

export const goOn: SmtpServer['behave'] = () => undefined;

/** Permanently rejects every recipient, and repeats the email address, as servers do. */
export const refuseEverybody: SmtpServer['behave'] = (step, to) =>
  step === 'RCPT TO' ? `550 5.1.1 <${to}>: no such user` : undefined;

/**
 * Makes clients wait for the reply to a complete email, starting with email number `from`. @returns `atMail` settles at
 * that email; `accept` lets it continue
 */
export function holdMails(smtp: SmtpServer, from = 1): { atMail: Promise<void>; accept: () => void } {
  const [reached, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  smtp.beforeAccepting = () => {
    if (smtp.mails.length < from) return undefined;
    reached.resolve();
    return accepted.promise;
  };
  return { atMail: reached.promise, accept: accepted.resolve };
}

/** A mail server that may encrypt. @returns its port */
export async function startTlsSmtp(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer(options);
  // A client that gives up closes the connection.
  server.on('error', () => undefined);
  onTestFinished(() => new Promise((resolve) => server.close(resolve)));
  return (await listenOnFreePort(server.server)).port;
}

async function converse(socket: Socket, smtp: SmtpServer): Promise<void> {
  let to = '';
  let isInMail = false;
  /** @returns whether the step succeeded */
  const answer = async (step: SmtpStep): Promise<boolean> => {
    const behaviour = await smtp.behave(step, to);
    if (behaviour === 'close') socket.destroy();
    // It reads nothing more, either.
    else if (behaviour === 'silence') await once(socket, 'close');
    else if (behaviour === undefined && step === 'EHLO' && smtp.extension) {
      socket.write(`${REPLIES.EHLO.replace('250 ', `250-${smtp.extension}\r\n250 `)}\r\n`);
    } else socket.write(`${behaviour ?? REPLIES[step]}\r\n`);
    if (behaviour?.startsWith('421')) socket.end();
    return behaviour === undefined;
  };
  await answer('greeting');
  let message: string[] | undefined;
  for await (const line of createInterface({ input: socket })) {
    if (message) {
      if (line !== '.') message.push(line.replace(/^\.\./, '.'));
      else {
        const raw = message.join('\r\n');
        const mail = { ...(await PostalMime.parse(raw)), to, raw };
        message = undefined;
        isInMail = false;
        smtp.mails.push(mail);
        await smtp.beforeAccepting?.();
        if (await answer('dot')) smtp.taken.push(mail);
      }
    } else if (/^EHLO/i.test(line)) await answer('EHLO');
    else if (/^STARTTLS/i.test(line)) await answer('STARTTLS');
    else if (/^AUTH/i.test(line)) await answer('AUTH');
    else if (/^MAIL FROM/i.test(line)) {
      to = '';
      // As servers do for a client that didn't reset after a rejection.
      if (isInMail) socket.write('503 5.5.1 Sender already specified\r\n');
      else isInMail = await answer('MAIL FROM');
    } else if (/^RCPT TO/i.test(line)) {
      to = /<(.+?)>/.exec(line)?.[1] ?? '';
      await answer('RCPT TO');
    } else if (/^DATA/i.test(line)) {
      if (await answer('DATA')) message = [];
    } else if (/^QUIT/i.test(line)) socket.end('221 2.0.0 bye\r\n');
    else socket.write('500 5.5.2 unknown\r\n');
  }
}
