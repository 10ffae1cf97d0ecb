import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { RECORD_BEFORE_STOP_MS, STOP_SENDING_MS } from '#newsletter/deliveries/worker.ts';
import { loadSettings } from '#settings/settings-file.ts';
import { describeError } from '#shared/describe-error.ts';
import { explainError } from '#shared/explain-codes.ts';
import { describeSyncedFolder } from '#newsletter/database/synced-folder.ts';
import { openNewsletter } from '#newsletter/open-newsletter.ts';
import { type Environment, parseEnvironment, refuseLocalLinks } from '#settings/environment.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { createServer } from './limit-connections.ts';
import { stopOnSignals } from './graceful-stop.ts';
import { listen } from './listen.ts';
import { announce, log } from './log.ts';
import { createSiteSwitch } from './switch-live-site.ts';
import { findFirstSite, type LiveSite } from '#publishing/live-version.ts';
import { type SiteSettings, pickSiteSettings } from '#settings/site-settings.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const REQUESTS_TIMEOUT_MS = 10_000;
/** For mails in flight, their outcomes and open requests; service managers usually kill after 90 s. */
const STOP_TIMEOUT_MS = STOP_SENDING_MS + RECORD_BEFORE_STOP_MS + REQUESTS_TIMEOUT_MS + 5000;

try {
  endOnError();
  const settings = loadSettings();
  if (settings) announce(`Settings: ${settings}`);
  await start(parseEnvironment(process.env));
} catch (error) {
  // The message says how the owner can correct it, and a stack would hide it.
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
}

/** The environment -> the store -> the routes -> listen -> deliveries. */
async function start(env: Environment): Promise<void> {
  const build = path('..');
  refuseOtherSettings(readBuiltSite(build).settings, pickSiteSettings(env));
  refuseLocalLinks(env);
  const places = { build, dataDir: env.DATA_DIR };
  let first: LiveSite | undefined;
  const { RECEIVER_OF: receiverOf } = env;
  const origins = receiverOf === undefined ? env.ALLOWED_ORIGINS : [...env.ALLOWED_ORIGINS, receiverOf];
  const newsletter = await openNewsletter({ ...env, ALLOWED_ORIGINS: origins }, async (store) => {
    first = await findFirstSite(places, store, log);
    return readBuiltSite(first.folder).content;
  });
  const site = await createSiteSwitch(first!, { places, newsletter, log, receiverOf });
  const answer = getRequestListener(site.fetch, { hostname: env.HOST });
  const { servers, url } = await listen(() => createServer(answer, env.TRUSTED_PROXY_HEADER !== undefined), env);

  const siteUrl = env.SITE_URL ?? url;
  await newsletter.startDeliveries(siteUrl, log);
  const stopWatching = site.watch();
  stopOnSignals(servers, {
    finish: async () => {
      await Promise.all([stopWatching(), newsletter.stopDeliveries()]);
    },
    close: newsletter.close,
    requestsMs: REQUESTS_TIMEOUT_MS,
    deadlineMs: STOP_TIMEOUT_MS,
    log,
  });

  announce(`Site:     ${url}`);
  announce(`Sign-ups: ${newsletter.places.signUps}`);
  const synced = describeSyncedFolder(env.DATA_DIR);
  if (synced !== undefined) announce(synced);
  announce(`Mail:     ${newsletter.places.mail}${env.SMTP_URL ? '' : ' (set SMTP_URL to send it)'}`);
  if (newsletter.places.sheet) announce(`Sheet:    ${newsletter.places.sheet}`);
  if (env.SITE_URL === undefined) {
    announce(
      `Search engines are asked not to list the site, and links in emails begin with ${siteUrl} (set SITE_URL to the public URL).`,
    );
  }
}

/** The pages contain the settings of their build; other settings would break links and forms. */
function refuseOtherSettings(built: SiteSettings, now: SiteSettings): void {
  const refuse = (name: string) => {
    throw new Error(`${name}: expected what the site was built with; run npm run build with the new value first`);
  };
  if (built.siteUrl !== now.siteUrl) refuse('SITE_URL');
  if (built.hstsSubdomains !== now.hstsSubdomains) refuse('HSTS_SUBDOMAINS');
  if (built.newsletterEndpoint !== now.newsletterEndpoint) refuse('NEWSLETTER_ENDPOINT');
}

/** Without the error's message, which may quote a row of the list. */
function endOnError(): void {
  process.on('uncaughtException', (error) => {
    log(`The server ends: ${describeError(error)}.`);
    process.exit(1);
  });
}
