import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import { freePort } from '../../free-port.ts';
import { isUnmet } from '../../machine-needs.ts';
import { waitUntil } from './running-newsletter.ts';

const DOVECOT = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot'].find((path) => existsSync(path));

export function isImapMissing(): boolean {
  return isUnmet('IMAP server', DOVECOT === undefined);
}

export type ImapServer = {
  /** An empty mailbox. */
  openMailbox: () => Mailbox;
  stop: () => Promise<void>;
};

type Mailbox = {
  /** For BOUNCE_MAILBOX. */
  url: string;
  /** Puts a message into a folder, INBOX by default. */
  deliver: (source: string, folder?: string) => Promise<void>;
  deliverMany: (source: string, count: number) => Promise<void>;
  /** How many messages a folder holds; 0 if there is no such folder. */
  count: (folder: string) => Promise<number>;
  /** The numbers of a folder's flagged messages. */
  flagged: (folder: string) => Promise<number[]>;
};

/** An IMAP server (Dovecot) on loopback with all folders in INBOX. Stopping it takes a second, so a file shares one. */
export async function startImap(): Promise<ImapServer> {
  const folder = mkdtempSync(join(tmpdir(), 'imap-'));
  const port = await freePort();
  writeFileSync(join(folder, 'dovecot.conf'), configuration(folder, port));
  const server = spawn(DOVECOT ?? '', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' });
  await listens(port);
  let users = 0;
  return {
    openMailbox: () => openMailbox(`bounces${(users += 1)}`, port),
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
      // Its child processes may exit a moment later.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function openMailbox(user: string, port: number): Mailbox {
  const withMailbox = async <T>(work: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const auth = { user, pass: 'secret' };
    const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, auth, logger: false });
    // Its errors already reject the commands; without a listener they would also end the tests.
    client.on('error', () => undefined);
    await client.connect();
    const result = await work(client);
    await client.logout();
    return result;
  };
  return {
    url: `imap://${user}:secret@127.0.0.1:${port}/INBOX`,
    deliver: (source, folder = 'INBOX') =>
      withMailbox(async (client) => {
        if (folder !== 'INBOX') await client.mailboxCreate(folder).catch(() => undefined);
        await client.append(folder, source);
      }),
    deliverMany: (source, count) =>
      withMailbox(async (client) => {
        for (let index = 0; index < count; index += 1) await client.append('INBOX', source);
      }),
    count: (name) =>
      withMailbox(async (client) => {
        const status = await client.status(name, { messages: true });
        return (status && status.messages) || 0;
      }),
    flagged: (name) =>
      withMailbox(async (client) => {
        await client.mailboxOpen(name);
        return (await client.search({ flagged: true }, { uid: true })) || [];
      }),
  };
}

function configuration(folder: string, port: number): string {
  const isRoot = process.getuid?.() === 0;
  const mail = join(folder, 'mail');
  mkdirSync(mail, { mode: 0o777 });
  const { username, ...own } = userInfo();
  // Dovecot opens no mailbox as root.
  const { uid, gid } = isRoot ? { uid: 65_534, gid: 65_534 } : own;
  chmodSync(folder, 0o755);
  chmodSync(mail, 0o777);
  const users = isRoot ? '' : `default_internal_user = ${username}\ndefault_login_user = ${username}\n`;
  return `${users}base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_fsync = never
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${mail}/%u
mail_access_groups =
namespace inbox {
  inbox = yes
  prefix = INBOX.
  separator = .
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${mail}/%u
}
`;
}

/** Waits until something listens there. */
function listens(port: number): Promise<unknown> {
  return waitUntil(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
}
