import { isDeepStrictEqual } from 'node:util';
import { recordWordings } from './subscribers/consent-wording.ts';
import { makeConsentWordings } from '#content/consent/consent-wordings.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import type { SiteContent } from '#content/site-content.ts';
import type { Environment } from '#settings/environment.ts';
import type { SignUpForm } from '#shared/sign-up-rules.ts';
import { type MailTransport, openMailTransport } from './deliveries/smtp/mail-transport.ts';
import { readEnvironment } from './owner-settings/settings-store.ts';
import { runEvery } from '#shared/run-every.ts';
import { runDeliveries } from './deliveries/run-deliveries.ts';
import { createMailSender } from './deliveries/smtp/mail-sender.ts';
import { createSheetSender } from './deliveries/sheet.ts';
import { endWithoutSheet } from './deliveries/sheet-end.ts';
import { renderSignUpMails, type SignUpMails } from './mails/sign-up-mails.tsx';
import type { MailSite } from './mails/mail-layout.tsx';
import { toOutboxPath } from './database/outbox.ts';
import { runNightlyBackup } from './backup/nightly-backup.ts';
import { runRetention } from './retention/run-retention.ts';
import { openSigningSecret } from './subscribers/signing-secret.ts';
import { explainStoreFailure } from './database/explain-store-failure.ts';
import { lockFolder } from './database/folder-lock.ts';
import { openStore, type Store } from './database/open-store.ts';
import { restrict } from './database/owner-only.ts';
import { runWeeklyMail } from './weekly-mail/run-weekly-mail.ts';
import { createPageViewCounter, type PageViewCounter } from './page-views/count-page-views.ts';
import { signToken, TOKEN_PATHS } from './subscribers/tokens.ts';
import type { TokenPurpose } from '#shared/sign-up-result.ts';

/** The open list with its background work, as the handlers use it. */
export type Newsletter = {
  /** With the owner's settings, which may change while the server runs. */
  env: Environment;
  store: Store;
  secret: string;
  /** The version of each form's current consent wording. */
  currentWordings: Record<SignUpForm, string>;
  pageViews: PageViewCounter;
  /**
   * Records the consent wordings of new content, which isn't shown yet.
   * @returns a function that shows it: from then on, emails use that content
   */
  prepareContent: (content: NewsletterContent) => Promise<() => void>;
  /** Where sign-ups are stored, and where emails and the sheet's rows are sent. Printed on start, without passwords. */
  places: { signUps: string; mail: string; sheet: string | undefined };
  /**
   * Starts sending queued deliveries, writing page views, and erasing people after their retention period.
   * @param siteUrl the origin of links in emails
   * @param log takes one line, which contains no personal address
   */
  startDeliveries: (siteUrl: string, log: Log) => Promise<void>;
  /** Starts no more deliveries; settles once those in flight have ended. */
  stopDeliveries: () => Promise<void>;
  /** Stops deliveries, then closes the store. */
  close: () => Promise<void>;
};

export type NewsletterContent = Pick<SiteContent, 'agency' | 'brand' | 'mark' | 'home' | 'mail'>;

type Log = (line: string) => void;
type Stop = () => Promise<void>;

/**
 * Opens the store and prepares everything to receive sign-ups; sends nothing yet.
 * @param content the content to show at first, which may depend on the store
 * @throws if the store can't be opened, is in use or was created with another signing secret
 */
export async function openNewsletter(
  env: Environment,
  content: NewsletterContent | ((store: Store) => Promise<NewsletterContent>),
): Promise<Newsletter> {
  const place = { databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR };
  const resources = new AsyncDisposableStack();
  try {
    if (env.DATABASE_URL === undefined) resources.defer(lockFolder(env.DATA_DIR));
    const store = await openStore(place);
    resources.defer(store.close);
    const live = typeof content === 'function' ? await content(store) : content;
    return await createNewsletter({ store, given: env, content: live }, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw explainStoreFailure(error, place);
  }
}

/** @param resources closed with the newsletter, in reverse order */
async function createNewsletter(
  { store, given, content }: Pick<Newsletter, 'store'> & { given: Environment; content: NewsletterContent },
  resources: AsyncDisposableStack,
): Promise<Newsletter> {
  const secret = await openSigningSecret(store, given.DATA_DIR, given.SIGNING_SECRET);
  const env = await readEnvironment(store, secret, given);
  const live = toLiveContent(content);
  const prepareContent = async (next: NewsletterContent) => {
    const { Founder, Footer } = makeConsentWordings(next.home);
    await store.transaction((tx) => recordWordings(tx, [Founder.wording, Footer.wording]));
    return () => void Object.assign(live, toLiveContent(next));
  };
  await prepareContent(content);
  restrict(toOutboxPath(env), 0o700);
  const pageViews = createPageViewCounter(store, env.SITE_URL);
  let stopWork: Stop = async () => undefined;
  const stopDeliveries = () => stopWork();
  return {
    env,
    store,
    secret,
    get currentWordings() {
      return live.currentWordings;
    },
    prepareContent,
    places: {
      signUps: store.place,
      mail: openTransport(env, live).place,
      sheet: env.SHEET_URL && new URL(env.SHEET_URL).host,
    },
    pageViews,
    startDeliveries: async (siteUrl, log) => {
      resources.defer(pageViews.start(log));
      resources.defer(stopDeliveries);
      stopWork = await runWork({ store, env, live, secret, siteUrl, log });
    },
    stopDeliveries,
    close: () => resources.disposeAsync(),
  };
}

/** The newsletter's part of content/; changed in place when new content goes live. */
type LiveContent = {
  site: MailSite;
  agency: Agency;
  currentWordings: Record<SignUpForm, string>;
  signUpMails: SignUpMails;
};

function toLiveContent(content: NewsletterContent): LiveContent {
  const { Founder, Footer } = makeConsentWordings(content.home);
  return {
    site: content,
    agency: content.agency,
    currentWordings: { Founder: Founder.version, Footer: Footer.version },
    signUpMails: renderSignUpMails(content),
  };
}

type Work = Pick<Newsletter, 'store' | 'env' | 'secret'> & {
  live: LiveContent;
  siteUrl: string;
  log: Log;
};

/**
 * Runs the background work with the owner's current settings. When they change, the work stops, then restarts with the
 * new ones.
 */
async function runWork(work: Work): Promise<Stop> {
  const { store, env, secret, log } = work;
  let stops: Stop[] | undefined = await startWork(work);
  const stopAll = async () => {
    await Promise.all((stops ?? []).map((stop) => stop()));
    stops = undefined;
  };
  const stopPolling = runEvery(POLL_MS, async () => {
    try {
      const next = await readEnvironment(store, secret, env);
      if (stops !== undefined && isDeepStrictEqual(next, env)) return;
      await stopAll();
      // In place, since the sign-up handlers share it.
      Object.assign(env, next);
      log('Settings: changed on the desk.');
      stops = await startWork(work);
    } catch {
      // Everything else that uses the store reports why it can't be used.
    }
  });
  return async () => {
    await stopPolling();
    await stopAll();
  };
}

/** How often the settings are read, in milliseconds: another process may change them. */
const POLL_MS = 1000;

function openTransport(env: Environment, live: LiveContent): MailTransport {
  return openMailTransport({ smtpUrl: env.SMTP_URL, outbox: toOutboxPath(env), from: () => live.agency.email });
}

/** Starts deliveries, retention, the weekly email and the bounce watcher. @returns functions that stop each */
async function startWork({ store, env, live, secret, siteUrl, log }: Work): Promise<Stop[]> {
  const links = (mailboxHash: string, queuedAt?: string) => makeLinks(siteUrl, mailboxHash, secret, queuedAt);
  await endWithoutSheet(store, env.SHEET_URL !== undefined, Date.now());
  const stopSending = await runDeliveries({
    store,
    openMailSender: createMailSender(Object.assign(live, { store, env, makeLinks: links }), openTransport(env, live)),
    openSheetSender: env.SHEET_URL === undefined ? undefined : createSheetSender(env.SHEET_URL),
    caps: { hourlyCap: env.MAIL_HOURLY_CAP, dailyCap: env.MAIL_DAILY_CAP },
    concurrency: env.MAIL_CONCURRENCY,
    log,
  });
  const stops = [
    stopSending,
    runRetention({
      store,
      outbox: toOutboxPath(env),
      privateDir: env.PRIVATE_DIR,
      hasMailServer: env.SMTP_URL !== undefined,
      log,
    }),
    runNightlyBackup({ store, env, log }),
  ];
  if (env.NOTIFY_TO && env.SUMMARY) stops.push(runWeeklyMail({ store, env, site: () => live.site, log }));
  if (env.BOUNCE_MAILBOX) {
    // Loaded only if needed: IMAP is a fifth of all the code that a server loads.
    const { watchMailbox } = await import('./bounces/watch-mailbox.ts');
    stops.push(watchMailbox({ url: env.BOUNCE_MAILBOX, store, secret, env, log }));
  }
  return stops;
}

/** @param queuedAt when the email was queued (ISO 8601); only links that confirm an address contain it */
function makeLinks(siteUrl: string, mailboxHash: string, secret: string, queuedAt?: string) {
  const linkTo = (purpose: TokenPurpose, time?: string) =>
    `${siteUrl}${TOKEN_PATHS[purpose]}/${signToken(purpose, mailboxHash, secret, time)}`;
  return {
    unsubscribe: linkTo('unsubscribe'),
    confirm: linkTo('confirm', queuedAt),
    renew: linkTo('renew'),
    newAddress: linkTo('newAddress', queuedAt),
    site: siteUrl,
  };
}
