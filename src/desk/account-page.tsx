import type { Hono } from 'hono';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { tryMailbox } from '#newsletter/bounces/watch-mailbox.ts';
import { LOGIN_ADVICE } from '#newsletter/deliveries/smtp/login-advice.ts';
import { capitalise } from '#newsletter/format.ts';
import { saveOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { tryMailAccount } from '#newsletter/owner-settings/try-mail-account.ts';
import { toDeliverableEmail, toDisplayEmail } from '#newsletter/subscribers/email.ts';
import { findSettingProblem } from '#settings/environment.ts';
import { createAction, FieldError, type FormDesk, handleActions } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, Button, Field, Form, Panel } from './ui.tsx';

type AccountDesk = FormDesk & Pick<Desk, 'content' | 'store' | 'env' | 'secret'>;

export type AccountName = 'SMTP_URL' | 'BOUNCE_MAILBOX';

/** `tls` is the implicit TLS port; `plain` is the STARTTLS port, also used for a server on this machine. */
type AccountPage = {
  title: string;
  path: string;
  use: string;
  without: string;
  /** Which ports providers use. */
  ports: string;
  tls: { port: string; scheme: string };
  plain: { port: string; scheme: string };
};

/** The pages of the two accounts that the site signs in to. */
export const ACCOUNT_PAGES: Record<AccountName, AccountPage> = {
  SMTP_URL: {
    title: 'Mail account',
    path: '/desk/settings/mail-account',
    use: 'The account at your mail provider that the site sends its emails from.',
    without: 'Without one, emails are written to files and reach nobody.',
    ports: '465 or 587 with most providers.',
    tls: { port: '465', scheme: 'smtps' },
    plain: { port: '587', scheme: 'smtp' },
  },
  BOUNCE_MAILBOX: {
    title: 'Bounce mailbox',
    path: '/desk/settings/bounce-mailbox',
    use: 'The mailbox to which mail servers report addresses that no longer exist. The site reads these reports and leaves all other email alone.',
    without: 'Without one, many addresses that no longer exist stay on your list.',
    ports: '993 with most providers.',
    tls: { port: '993', scheme: 'imaps' },
    plain: { port: '143', scheme: 'imap' },
  },
};

/** Adds a form for each account. An account is saved only after a test with its server has succeeded. */
export function addAccountPages(app: Hono, desk: AccountDesk): void {
  addMailAccount(app, desk);
  addBounceMailbox(app, desk);
}

function addMailAccount(app: Hono, desk: AccountDesk): void {
  const { path, title, use } = ACCOUNT_PAGES.SMTP_URL;
  app.get(path, (context) => {
    const { email } = desk.content.agency;
    return context.render(
      <AccountForm name="SMTP_URL" env={desk.env}>
        <p className={EXAMPLE_EMAIL.test(email) ? 'error' : 'quiet'}>
          Your emails come from {toDisplayEmail(email)}
          {EXAMPLE_EMAIL.test(email)
            ? ', the example’s address, which many mail servers reject. First enter your own under '
            : ', your address under '}
          {desk.env.RECEIVER_OF === undefined ? <a href="/desk/website/addresses">{ADDRESSES}</a> : ADDRESSES}
          {EXAMPLE_EMAIL.test(email) && ', and publish it'}.
        </p>
        <Field
          id="to"
          label="Send a test email to"
          hint="Your own address. The account is saved once its server has accepted this email."
          type="email"
          defaultValue={toDisplayEmail(desk.env.NOTIFY_TO ?? context.get('session')?.email ?? email)}
        />
      </AccountForm>,
      { title, lead: use },
    );
  });
  const save = createAction(MAIL_FORM, async ({ to, ...account }) => {
    if (desk.env.SITE_URL === undefined) throw new Error(NO_SITE_URL);
    const url = buildUrl(desk, 'SMTP_URL', account);
    const { agency } = desk.content;
    await tryOut(() => tryMailAccount(url, { to, agency }), {
      whenSenderRejected: `Your emails come from ${toDisplayEmail(agency.email)}: enter an address of this account under ${ADDRESSES} on the Website page, publish it, then try again`,
    });
    await saveOwnerValues(desk.store, desk.secret, { SMTP_URL: url }, Date.now());
    return {
      to: '/desk/settings',
      notice: `Saved. The server accepted a test email to ${toDisplayEmail(to)}; within a few seconds, all email will go through it.`,
    };
  });
  app.post(path, handleActions(desk, { save, remove: createRemoval(desk, 'SMTP_URL') }));
}

/** The part of the Website page that has the agency's address. */
const ADDRESSES = 'Addresses and offices';

/** Domains that are reserved for examples (RFC 2606). */
const EXAMPLE_EMAIL = /[@.]example(\.(com|net|org))?$/;

const NO_SITE_URL =
  'Links in emails begin with the address of your site, which is not set. Set SITE_URL in .env, then restart the site.';

function addBounceMailbox(app: Hono, desk: AccountDesk): void {
  const { path, title, use } = ACCOUNT_PAGES.BOUNCE_MAILBOX;
  app.get(path, (context) =>
    context.render(
      <AccountForm name="BOUNCE_MAILBOX" env={desk.env}>
        <Field id="folder" label="Folder" defaultValue={findFolder(desk.env.BOUNCE_MAILBOX)} />
      </AccountForm>,
      { title, lead: use },
    ),
  );
  const save = createAction(MAILBOX_FORM, async ({ folder, ...account }) => {
    const url = `${buildUrl(desk, 'BOUNCE_MAILBOX', account)}/${encodeURIComponent(folder || 'INBOX')}`;
    await tryOut(() => tryMailbox(url));
    await saveOwnerValues(desk.store, desk.secret, { BOUNCE_MAILBOX: url }, Date.now());
    return { to: '/desk/settings', notice: 'Saved. The site can open the mailbox.' };
  });
  app.post(path, handleActions(desk, { save, remove: createRemoval(desk, 'BOUNCE_MAILBOX') }));
}

function findFolder(url: string | undefined): string {
  return decodeURIComponent(URL.parse(url ?? '')?.pathname.slice(1) ?? '') || 'INBOX';
}

function createRemoval(desk: AccountDesk, name: AccountName) {
  return createAction(z.object({}), async () => {
    rejectIfSetInEnv(desk, name);
    await saveOwnerValues(desk.store, desk.secret, { [name]: '' }, Date.now());
    return { to: '/desk/settings', notice: 'Removed.' };
  });
}

const WRONG_PORT = 'Enter the port number that your mail provider gives you, such as 465.';

const ACCOUNT = {
  server: z
    .string()
    .trim()
    .regex(/^([\w.-]+|\[[\da-f:]+\])$/i, 'Enter the server’s name, such as mail.example.org.'),
  port: z
    .string()
    .trim()
    .refine((port) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535, WRONG_PORT),
  user: z.string().trim(),
  password: z.string(),
};

const MAIL_FORM = z.object({
  ...ACCOUNT,
  to: z.string().transform((typed, context) => {
    const email = toDeliverableEmail(typed);
    if (email === undefined) context.addIssue('Enter one email address.');
    return email ?? z.NEVER;
  }),
});

const MAILBOX_FORM = z.object({
  ...ACCOUNT,
  user: z.string().trim().min(1, 'Enter the mailbox’s user name, which is often its address.'),
  folder: z.string().trim(),
});

type Account = { server: string; port: string; user: string; password: string };

/** @returns the account as a URL, as in .env. If no password was entered, the stored one is kept. */
function buildUrl(desk: AccountDesk, name: AccountName, { server, port, user, password }: Account): string {
  rejectIfSetInEnv(desk, name);
  const before = URL.parse(desk.env[name] ?? '');
  const isSame = before?.hostname === server.toLowerCase() && decodeURIComponent(before.username) === user;
  const kept = password === '' && isSame ? before.password : encodeURIComponent(password);
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${kept}@`;
  const { tls, plain } = ACCOUNT_PAGES[name];
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(server);
  // On any other port, SMTP servers use STARTTLS, and IMAP servers implicit TLS.
  const isPlain = name === 'SMTP_URL' ? port !== tls.port : port === plain.port || (isLocal && port !== tls.port);
  const { scheme } = isPlain ? plain : tls;
  const url = `${scheme}://${login}${server}:${port}`;
  const problem = findSettingProblem(name, url);
  if (problem !== undefined) {
    const advice =
      isPlain && name === 'BOUNCE_MAILBOX' ? `Choose port ${tls.port}, which is encrypted from the start` : problem;
    throw new FieldError(isPlain ? 'port' : 'server', `${capitalise(advice)}.`);
  }
  return url;
}

function rejectIfSetInEnv({ env }: AccountDesk, name: AccountName): void {
  if (env.given.includes(name)) throw new Error('This is set in .env, which takes precedence over the desk.');
}

/** @throws an error with the server's reply, shown at the field that it concerns */
async function tryOut(attempt: () => Promise<void>, { whenSenderRejected = '' } = {}): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    const reason = capitalise((error as Error).message).replace(/\.$/, '');
    const advice = reason.includes('rejects the sender') ? ` ${whenSenderRejected}.` : '';
    const field = /rejects the login|authentication/i.test(reason) ? 'password' : 'server';
    throw new FieldError(field, `${reason}.${advice} Nothing was changed.`, { cause: error });
  }
}

type AccountFormProps = { name: AccountName; env: Desk['env']; children: ReactNode };

function AccountForm({ name, env, children }: AccountFormProps) {
  const { tls, ports, without } = ACCOUNT_PAGES[name];
  const url = URL.parse(env[name] ?? '');
  const user = url && decodeURIComponent(url.username);
  if (env.given.includes(name)) return <p>This is set in .env, which takes precedence over the desk.</p>;
  return (
    <div className="side">
      <Form>
        <Field id="server" label="Server" defaultValue={url?.hostname} autoCapitalize="none" spellCheck={false} />
        <Field id="port" label="Port" hint={ports} inputMode="numeric" defaultValue={url?.port || tls.port} />
        <Field id="user" label="User name" defaultValue={user ?? ''} autoCapitalize="none" spellCheck={false} />
        <Field
          id="password"
          label="Password"
          hint={
            url?.password
              ? 'Leave empty to keep the stored password, unless you change the server or the user name.'
              : 'With many providers, this isn’t the password that you normally sign in with: see “Which password?” on this page.'
          }
          type="password"
          autoComplete="new-password"
        />
        {children}
        <Button kind="filled" action="save">
          Test and save
        </Button>
      </Form>
      <div>
        <PasswordAdvice />
        {url !== null && (
          <Panel title="Stop using it">
            <p>{without}</p>
            <ActionButton action="remove">Remove</ActionButton>
          </Panel>
        )}
      </div>
    </div>
  );
}

/** Which password each provider accepts, shown before the owner types one that can never work. */
function PasswordAdvice() {
  return (
    <Panel title="Which password?">
      <p>
        These providers don’t accept the password that you normally sign in with. With any other provider, try that
        first.
      </p>
      {LOGIN_ADVICE.map(({ name, advice }) => (
        <p key={name}>
          <b>{name}.</b> {advice}.
        </p>
      ))}
    </Panel>
  );
}
