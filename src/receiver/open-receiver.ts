import { join } from 'node:path';
import { consentWordings, listConsentWordings } from '#receiver/consent-wording.ts';
import type { Content } from '#shared/content-schema.ts';
import type { Environment } from '#shared/environment.ts';
import { openMailTransport, removeMailFiles } from './deliveries/mail-transport.ts';
import { type RunningDeliveries, runDeliveries } from './deliveries/run-deliveries.ts';
import { mailSender, sheetSender } from './deliveries/senders.ts';
import { iso } from './iso-time.ts';
import { renderSignUpMails } from './mail/sign-up-mails.tsx';
import { runHousekeeping } from './retention.ts';
import { openSigningSecret } from './signing-secret.ts';
import type { FindWording } from './sign-up-payload.ts';
import { openStore, type Store } from './store/open-store.ts';
import { updateSending } from './updates/sending.ts';
import { confirm } from './subscriptions/confirm.ts';
import type { MailFiles } from './subscriptions/erase.ts';
import { groupCommit } from './subscriptions/group-commit.ts';
import { type CheckedSignUp, subscribe } from './subscriptions/subscribe.ts';
import { unsubscribe } from './subscriptions/unsubscribe.ts';
import { readToken, signToken, type TokenPurpose } from './tokens.ts';

/** The receiver's own pages; each address ends with a token. */
export const TOKEN_PATHS = {
  unsubscribe: '/newsletter/unsubscribe',
  confirm: '/newsletter/confirm',
} as const satisfies Record<TokenPurpose, string>;

/** What receives sign-ups: its verbs, over an open store. */
export type Receiver = {
  env: Environment;
  store: Store;
  secret: string;
  /** The version of each form's consent wording, as it is shown now. */
  currentWordings: Record<'Founder' | 'Footer', string>;
  findWording: FindWording;
  /** Settles when the sign-up is on disk; concurrent ones share a commit. */
  signUp: (signUp: CheckedSignUp) => Promise<void>;
  /** @returns whether the token was one of ours */
  unsubscribe: (token: string) => Promise<boolean>;
  /** @returns whether the token was one of ours and the person is subscribed now */
  confirm: (token: string) => Promise<boolean>;
  isToken: (purpose: TokenPurpose, token: string) => boolean;
  health: () => Promise<Health>;
  /** For the start-up lines: where sign-ups, mails and rows go, without passwords. */
  places: { signUps: string; mail: string; sheet: string | undefined };
  /**
   * Begins to send what is queued, and to forget once a day whom it may not keep.
   * @param siteUrl the origin that links in mails begin with
   * @param log takes one line without any address of a person
   */
  startDeliveries: (siteUrl: string, log: (line: string) => void) => Promise<void>;
  /** Waits a while for deliveries under way, then closes the store. */
  close: () => Promise<void>;
};

/** What waits to go out, and what was given up. */
export type Health = { waiting: number; failed: number };

export type ReceiverContent = Pick<Content, 'agency' | 'home' | 'mail'>;

/** The folder for mails where no SMTP server is named. */
function outboxOf(env: Environment): string {
  return join(env.DATA_DIR, 'outbox');
}

/**
 * Opens the store and makes everything ready to receive; sends nothing yet.
 * @throws when the store cannot be opened, or was begun with another signing secret
 */
export async function openReceiver(env: Environment, content: ReceiverContent): Promise<Receiver> {
  const store = await openStore({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR });
  try {
    const secret = await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    const findWording = await recordWordings(store, content);
    const wordings = consentWordings(content.home);
    const followUps = {
      doubleOptIn: env.DOUBLE_OPT_IN,
      toSheet: env.SHEET_URL !== undefined,
      toAgency: env.NOTIFY_TO !== undefined,
    };
    const transport = openMailTransport({
      smtpUrl: env.SMTP_URL,
      outbox: outboxOf(env),
      connections: env.MAIL_CONCURRENCY,
      agency: content.agency,
    });
    let deliveries: RunningDeliveries | undefined;
    let stopHousekeeping: (() => Promise<void>) | undefined;
    const signUp = groupCommit<CheckedSignUp>(async (batch) => {
      await subscribe(store, batch, followUps, Date.now());
      deliveries?.wake();
    }, MOST_IN_COMMIT);
    return {
      env,
      store,
      secret,
      currentWordings: { Founder: wordings.Founder.version, Footer: wordings.Footer.version },
      findWording,
      signUp,
      unsubscribe: async (token) => {
        const subscriberId = readToken('unsubscribe', token, secret);
        if (subscriberId === undefined) return false;
        await unsubscribe(store, subscriberId, 'unsubscribe link', Date.now());
        return true;
      },
      confirm: async (token) => {
        const subscriberId = readToken('confirm', token, secret);
        if (subscriberId === undefined) return false;
        const isSubscribed = await confirm(store, subscriberId, followUps, Date.now());
        deliveries?.wake();
        return isSubscribed;
      },
      isToken: (purpose, token) => readToken(purpose, token, secret) !== undefined,
      health: () => countDeliveries(store),
      places: { signUps: store.place, mail: transport.place, sheet: env.SHEET_URL && new URL(env.SHEET_URL).host },
      startDeliveries: async (siteUrl, log) => {
        const linkFor = (purpose: TokenPurpose, subscriberId: string) =>
          `${siteUrl}${TOKEN_PATHS[purpose]}/${signToken(purpose, subscriberId, secret)}`;
        const linksOf = (subscriberId: string) => ({
          unsubscribe: linkFor('unsubscribe', subscriberId),
          confirm: linkFor('confirm', subscriberId),
          site: siteUrl,
        });
        const signUpMails = await renderSignUpMails(content);
        const updates = updateSending(store, content.agency, log);
        deliveries = await runDeliveries({
          store,
          sendMail: mailSender({
            transport,
            context: { signUpMails, findUpdate: updates.find, linksOf },
            notifyTo: env.NOTIFY_TO,
            ownersAddress: content.agency.email,
          }),
          sendToSheet: env.SHEET_URL === undefined ? undefined : sheetSender(env.SHEET_URL),
          hourlyCap: env.MAIL_HOURLY_CAP,
          concurrency: env.MAIL_CONCURRENCY,
          secret,
          updates: updates.underWay,
          onFailure: updates.onFailure,
          log,
        });
        stopHousekeeping = runHousekeeping({ store, secret, mailFiles: mailFilesOf(env), log });
      },
      close: async () => {
        await stopHousekeeping?.();
        await deliveries?.stop();
        transport.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The outbox's files, for whoever must be forgotten there too. */
export function mailFilesOf(env: Environment): MailFiles {
  return { remove: (deliveryIds) => removeMailFiles(outboxOf(env), deliveryIds) };
}

/** Bounds how long one commit holds the lock; more sign-ups than this at once go into the next one. */
const MOST_IN_COMMIT = 256;

/** Every wording ever shown stays on record, since a page may be open in a browser for longer than a release lasts. */
async function recordWordings(store: Store, content: Pick<Content, 'home'>): Promise<FindWording> {
  const shown = listConsentWordings(content.home).map((wording) => ({ ...wording, first_shown_at: iso(Date.now()) }));
  await store.db
    .insertInto('consent_wordings')
    .values(shown)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute();
  const known = new Map(shown.map(({ version, wording }) => [version, wording]));
  return async (version) => {
    if (!/^[0-9a-f]{12}$/.test(version)) return undefined;
    const wording = known.get(version);
    if (wording !== undefined) return wording;
    const row = await store.db
      .selectFrom('consent_wordings')
      .select('wording')
      .where('version', '=', version)
      .executeTakeFirst();
    if (row) known.set(version, row.wording);
    return row?.wording;
  };
}

async function countDeliveries({ db }: Store): Promise<Health> {
  const counts = await db
    .selectFrom('deliveries')
    .select((select) => ['state', select.fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute();
  const count = (state: string) => Number(counts.find((row) => row.state === state)?.count ?? 0);
  return { waiting: count('waiting'), failed: count('failed') };
}
