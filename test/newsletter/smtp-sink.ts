import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** `client` is the name by which its sender greeted. */
export type ReceivedMail = Omit<Email, 'to'> & { to: string; raw: string; client: string };

/** How the mail server behaves towards the next mail. */
export type SmtpBehaviour = 'accept' | 'refuse for now' | 'refuse for good' | 'drop mid-message' | 'hang';

export type SmtpSink = {
  url: string;
  mails: ReceivedMail[];
  behaviour: SmtpBehaviour;
  /** Runs when a mail is whole, before the server says that it accepts it. */
  beforeAccepting?: () => Promise<void> | void;
  /** How many mails anybody tried to bring. */
  attempts: number;
  close: () => Promise<void>;
};

/** A real SMTP server that keeps what it is brought, or misbehaves as it is set. */
export async function startSmtp(options: { password?: string } = {}): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: options.password === undefined,
    allowInsecureAuth: true,
    disabledCommands: options.password === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    onAuth: ({ username, password }, _, done) => {
      if (password === options.password) done(null, { user: username });
      else done(refusal(535, '5.7.8 wrong login'));
    },
    closeTimeout: 100,
    onRcptTo: ({ address }, _, done) => {
      sink.attempts += 1;
      if (sink.behaviour === 'refuse for now') done(refusal(451, `4.3.0 <${address}>: try later`));
      else if (sink.behaviour === 'refuse for good') done(refusal(550, `5.1.1 <${address}>: no such user`));
      else if (sink.behaviour !== 'hang') done();
    },
    onData: (stream, session, done) => {
      if (sink.behaviour === 'drop mid-message') {
        for (const socket of sockets) socket.destroy();
        return;
      }
      const receive = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const raw = Buffer.concat(chunks).toString();
        const mail = await PostalMime.parse(raw);
        const client = session.hostNameAppearsAs;
        sink.mails.push({ ...mail, to: session.envelope.rcptTo[0]?.address ?? '', raw, client });
        await sink.beforeAccepting?.();
        done();
      };
      // A sender that was killed in the middle of a message has brought none.
      receive().catch(() => undefined);
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}?socketTimeout=800&greetingTimeout=800`,
    mails: [],
    behaviour: 'accept',
    attempts: 0,
    close,
  };
  onTestFinished(close);
  return sink;
}

/** A port that takes connections and never says a word. */
export async function startSilence(): Promise<{ port: number }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
