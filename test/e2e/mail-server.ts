import { SMTPServer } from 'smtp-server';
import { listenOnFreePort } from '../listen-on-free-port.ts';

/** A mail server on a free port. */
export type MailServer = {
  url: string;
  /** The recipient of each email received, including those that are held, oldest first. */
  recipients: string[];
  /** Accepts the next `count` emails; later ones wait until the returned function is called. */
  holdAfter: (count: number) => () => void;
  stop: () => Promise<void>;
};

/** @param refused the email address that it rejects permanently, as if there were no such mailbox */
export async function startMailServer(refused: string): Promise<MailServer> {
  let free = Infinity;
  const held: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _, done) =>
      address === refused ? done(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 })) : done(),
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        running.recipients.push(session.envelope.rcptTo[0]?.address ?? '');
        free -= 1;
        if (free >= 0) done();
        else held.push(done);
      });
    },
  });
  server.on('error', () => undefined);
  const { port } = await listenOnFreePort(server.server);
  const running: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    recipients: [],
    holdAfter: (count) => {
      free = count;
      return () => {
        free = Infinity;
        for (const take of held.splice(0)) take();
      };
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  return running;
}
