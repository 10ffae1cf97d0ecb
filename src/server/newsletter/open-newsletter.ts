import { consentWordings } from '#list/consent-wording.ts';
import type { Content } from '#shared/content-schema.ts';
import type { Environment } from '#shared/environment.ts';
import { type MailTransport, openMailTransport } from '#mail/queue/mail-transport.ts';
import { watchMailbox } from '#mail/bounces/watch-mailbox.ts';
import { findMailText, recordMailTexts } from '#mail/queue/mail-texts.ts';
import { runDeliveries } from '#mail/queue/run-deliveries.ts';
import type { RunningDeliveries } from '#mail/queue/worker.ts';
import { createMailSender, createSheetSender } from '#mail/queue/senders.ts';
import { readFollowUps } from '#list/follow-ups.ts';
import { renderSignUpMails } from '#mail/templates/sign-up-mails.tsx';
import { openMailFiles, outboxPath } from '#store/outbox.ts';
import { requestAddressReader } from './client-address.ts';
import { type FindWording, recordWordings } from '#list/record-wordings.ts';
import { runRetention } from './retention.ts';
import { openSigningSecret } from '#list/signing-secret.ts';
import { checkStore, oncePerSecond } from '#store/check-store.ts';
import { explainStoreFailure } from '#store/explain-store-failure.ts';
import { lockFolder } from '#store/folder-lock.ts';
import { isContention, openStore, type Store } from '#store/open-store.ts';
import { restrict } from '#store/owner-only.ts';
import { runWeeklySummary } from '#mail/summary/weekly-summary.ts';
import { createUpdateFinder } from '#mail/updates/find-update-mail.ts';
import { pauseAbandonedUpdates } from '#mail/updates/update-schedule.ts';
import { confirm, isConfirmable } from '#list/confirm.ts';
import { type CheckedSignUp, subscribe } from '#list/subscribe.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { openVisitCounter, type VisitCounter } from '#visits/visit-counter.ts';
import { type ConfirmationLink, readToken, signToken, TOKEN_PATHS, type TokenPurpose } from '#list/tokens.ts';

/** The newsletter: its verbs, over an open store. */
export type Newsletter = {
  env: Environment;
  store: Store;
  secret: string;
  /** The version of each form's consent wording, as it is shown now. */
  currentWordings: Record<'Founder' | 'Footer', string>;
  findWording: FindWording;
  /** Settles when the sign-up is on disk. */
  signUp: (signUp: CheckedSignUp) => Promise<void>;
  /** @returns whether the token was one of ours */
  unsubscribe: (token: string) => Promise<boolean>;
  /** @returns whether the link was good and the person is subscribed now */
  confirm: (token: string) => Promise<boolean>;
  /** Whether a link's button would do what its page says. */
  isGoodLink: (purpose: TokenPurpose, token: string) => Promise<boolean>;
  /** Undefined where visits are not counted. */
  visits: VisitCounter | undefined;
  /** @throws when the store cannot take a sign-up now */
  checkStore: () => Promise<void>;
  /** For the start-up lines: where sign-ups, mails and rows go, without passwords. */
  places: { signUps: string; mail: string; sheet: string | undefined };
  /**
   * Begins to send what is queued, to write what visits are counted, and to erase once a day people whose retention
   * period is over.
   * @param siteUrl the origin that links in mails begin with
   * @param log takes one line without any address of a person
   */
  startDeliveries: (siteUrl: string, log: (line: string) => void) => Promise<void>;
  /** Looks for deliveries at once instead of at the next second. */
  wakeDeliveries: () => void;
  /** Begins no delivery any more; settles when those under way have arrived or failed. */
  stopDeliveries: () => Promise<void>;
  /** Stops deliveries, then closes the store. */
  close: () => Promise<void>;
};

export type NewsletterContent = Pick<Content, 'agency' | 'home' | 'mail'>;

/**
 * Opens the store and makes everything ready to receive; sends nothing yet.
 * @param log takes one line where the start waits for the store
 * @throws saying what to do, when the store cannot be opened, is in use or was begun with another signing secret
 */
export async function openNewsletter(
  env: Environment,
  content: NewsletterContent,
  log: (line: string) => void = () => undefined,
): Promise<Newsletter> {
  const place = { databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR };
  let unlock = () => {};
  try {
    if (env.DATABASE_URL === undefined) unlock = lockFolder(env.DATA_DIR);
    const store = await openWhenFree(place, log);
    try {
      return await newsletterOver(store, env, content, unlock);
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    unlock();
    throw explainStoreFailure(error, place);
  }
}

/** Another program, such as a backup, may hold the store for a while. */
async function openWhenFree(place: Parameters<typeof openStore>[0], log: (line: string) => void): Promise<Store> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openStore(place);
    } catch (error) {
      if (!isContention(error) || tries === MAX_OPENINGS) throw error;
      log('The store is in use by another program; the start is tried again.');
    }
  }
}

/** Each waits for the store as long as a request does. */
const MAX_OPENINGS = 6;

async function newsletterOver(
  store: Store,
  env: Environment,
  content: NewsletterContent,
  unlock: () => void,
): Promise<Newsletter> {
  const secret = await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
  const wordings = consentWordings(content.home);
  const findWording = await recordWordings(store, content);
  restrict(outboxPath(env), 0o700);
  const transport = openMailTransport({
    smtpUrl: env.SMTP_URL,
    outbox: outboxPath(env),
    agency: content.agency,
  });
  const visits =
    env.COUNT_VISITS && env.RECEIVER_OF === undefined
      ? await openVisitCounter(store, env, requestAddressReader(env.TRUSTED_PROXY_HEADER))
      : undefined;
  const sending = runBackground({ store, env, secret, content, transport });
  return {
    env,
    store,
    secret,
    currentWordings: { Founder: wordings.Founder.version, Footer: wordings.Footer.version },
    findWording,
    ...createVerbs(store, env, secret, sending.wake),
    checkStore: oncePerSecond(() => checkStore(store)),
    places: { signUps: store.place, mail: transport.place, sheet: env.SHEET_URL && new URL(env.SHEET_URL).host },
    visits,
    startDeliveries: async (siteUrl, log) => {
      visits?.start(log);
      await sending.start(siteUrl, log);
    },
    wakeDeliveries: sending.wake,
    stopDeliveries: sending.stop,
    close: async () => {
      await sending.stop();
      await visits?.stop();
      await store.close();
      unlock();
    },
  };
}

function createVerbs(
  store: Store,
  env: Environment,
  secret: string,
  wake: () => void,
): Pick<Newsletter, 'signUp' | 'unsubscribe' | 'confirm' | 'isGoodLink'> {
  const followUps = readFollowUps(env);
  const readConfirmation = (token: string): ConfirmationLink | undefined => {
    const { subscriberId, queuedAt } = readToken('confirm', token, secret) ?? {};
    return subscriberId === undefined || queuedAt === undefined ? undefined : { subscriberId, queuedAt };
  };
  return {
    signUp: (signUp) => subscribe(store, signUp, { followUps, secret }, Date.now()),
    unsubscribe: async (token) => {
      const link = readToken('unsubscribe', token, secret);
      if (link === undefined) return false;
      await unsubscribe(store, link.subscriberId, 'unsubscribe link', followUps, Date.now());
      wake();
      return true;
    },
    confirm: async (token) => {
      const link = readConfirmation(token);
      if (link === undefined) return false;
      const isSubscribed = await confirm(store, link, followUps, Date.now());
      wake();
      return isSubscribed;
    },
    isGoodLink: async (purpose, token) => {
      if (purpose === 'unsubscribe') return readToken(purpose, token, secret) !== undefined;
      const link = readConfirmation(token);
      return link !== undefined && isConfirmable(store, link, Date.now());
    },
  };
}

/** Runs the background work: deliveries, retention, bounces, the weekly summary. */
function runBackground(options: {
  store: Store;
  env: Environment;
  secret: string;
  content: NewsletterContent;
  transport: MailTransport;
}) {
  const { store, env, secret, content, transport } = options;
  let deliveries: RunningDeliveries | undefined;
  let stopRetention: (() => Promise<void>) | undefined;
  let stopSummary: (() => Promise<void>) | undefined;
  let stopBounces: (() => Promise<void>) | undefined;
  return {
    wake: () => deliveries?.wake(),
    start: async (siteUrl: string, log: (line: string) => void) => {
      const linkTo = (purpose: TokenPurpose, subscriberId: string, queuedAt?: string) =>
        `${siteUrl}${TOKEN_PATHS[purpose]}/${signToken(purpose, subscriberId, secret, queuedAt)}`;
      const makeLinks = (subscriberId: string, queuedAt?: string) => ({
        unsubscribe: linkTo('unsubscribe', subscriberId),
        confirm: linkTo('confirm', subscriberId, queuedAt),
        site: siteUrl,
      });
      await recordMailTexts(store, await renderSignUpMails(content), Date.now());
      for (const line of await pauseAbandonedUpdates(store, Date.now())) log(line);
      deliveries = await runDeliveries({
        store,
        openMailSender: await createMailSender({
          store,
          transport,
          context: {
            findText: (kind, queuedAt) => findMailText(store, kind, queuedAt),
            findUpdate: createUpdateFinder(store, content.agency, env),
            makeLinks,
          },
          notifyTo: env.NOTIFY_TO,
          ownersAddress: content.agency.email,
        }),
        openSheetSender: env.SHEET_URL === undefined ? undefined : createSheetSender(env.SHEET_URL),
        caps: { hourlyCap: env.MAIL_HOURLY_CAP, dailyCap: env.MAIL_DAILY_CAP, secret },
        concurrency: env.MAIL_CONCURRENCY,
        log,
      });
      stopRetention = runRetention({ store, secret, mailFiles: openMailFiles(env), log });
      if (env.NOTIFY_TO && env.SUMMARY)
        stopSummary = runWeeklySummary({ store, secret, env, agency: content.agency, log });
      if (env.BOUNCE_MAILBOX)
        stopBounces = watchMailbox({ url: env.BOUNCE_MAILBOX, store, secret, followUps: readFollowUps(env), log });
    },
    stop: async () => {
      await Promise.all([stopRetention?.(), stopSummary?.(), deliveries?.stop(), stopBounces?.()]);
    },
  };
}
