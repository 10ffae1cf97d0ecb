import { describeSyncedFolder } from '#newsletter/database/synced-folder.ts';
import { fileURLToPath } from 'node:url';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RECORD_BEFORE_STOP_MS, STOP_SENDING_MS } from '#newsletter/deliveries/worker.ts';
import { describeError } from '#shared/describe-error.ts';
import { createClientIpReader } from '#newsletter/http/client-ip.ts';
import { openNewsletter } from '#newsletter/open-newsletter.ts';
import { type Environment, rejectLocalLinks } from '#settings/environment.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { isUnclaimed } from '#sign-in/desk-people.ts';
import { makeTerminalLink } from '#sign-in/sign-in-links.ts';
import { noteDesk } from '#sign-in/running-desk.ts';
import { createDeskThread, type DeskThread } from './desk-thread.ts';
import { createLimitedServer } from './limit-connections.ts';
import { stopOnSignals } from './graceful-stop.ts';
import { listen } from './listen.ts';
import { announce, log } from './log.ts';
import { findFirstSite, type LiveSite } from '#publishing/live-version.ts';
import { createSiteSwitch, type SiteSwitch } from './switch-live-site.ts';
import { type SiteSettings, pickSiteSettings } from '#settings/site-settings.ts';

const REQUESTS_TIMEOUT_MS = 10_000;
/** For emails in flight, their outcomes and open requests; service managers usually kill after 90 s. */
const STOP_TIMEOUT_MS = STOP_SENDING_MS + RECORD_BEFORE_STOP_MS + REQUESTS_TIMEOUT_MS + 5000;

/**
 * Starts the server: the environment -> the store -> the routes -> listen -> deliveries.
 * @param options.program the URL of the built program, which is next to the build
 * @param options.isDeskLocal whether the desk is opened on this machine even if SITE_URL is elsewhere
 * @returns the link that opens the desk, if nobody may sign in yet or if the desk is local
 */
export async function startSite(
  env: Environment,
  { program, isDeskLocal = false }: { program: string; isDeskLocal?: boolean },
): Promise<string | undefined> {
  endOnError();
  const path = (relative: string) => fileURLToPath(new URL(relative, program));
  const build = path('..');
  refuseOtherSettings(readBuiltSite(build).settings, pickSiteSettings(env));
  rejectLocalLinks(env);
  const places = { build, dataDir: env.DATA_DIR };
  let first: LiveSite | undefined;
  const { RECEIVER_OF: receiverOf } = env;
  const origins = receiverOf === undefined ? env.ALLOWED_ORIGINS : [...env.ALLOWED_ORIGINS, receiverOf];
  const newsletter = await openNewsletter({ ...env, ALLOWED_ORIGINS: origins }, async (store) => {
    first = await findFirstSite(places, store, log);
    return readBuiltSite(first.folder).content;
  });
  const site = await createSiteSwitch(first!, { places, newsletter, log, receiverOf });
  const desk = createDeskThread({ program: new URL('./desk-thread.js', program), log });
  const answer = getRequestListener(routeDesk(desk, site, env), { hostname: env.HOST });
  const { servers, url } = await listen(() => createLimitedServer(answer, env.TRUSTED_PROXY_HEADER !== undefined), env);

  const siteUrl = env.SITE_URL ?? url;
  const origin = isDeskLocal ? url : siteUrl;
  desk.configure({ url, origin });
  await noteDesk(newsletter.store, { url, origin });
  await newsletter.startDeliveries(siteUrl, log);
  const stopWatching = site.watch();
  stopOnSignals(servers, {
    finish: async () => {
      await Promise.all([stopWatching(), newsletter.stopDeliveries()]);
    },
    close: async () => {
      await desk.stop();
      await newsletter.close();
    },
    requestsMs: REQUESTS_TIMEOUT_MS,
    deadlineMs: STOP_TIMEOUT_MS,
    log,
  });

  const hasLink = isDeskLocal || (await isUnclaimed(newsletter));
  const link = hasLink ? `${origin}/desk/sign-in/${await makeTerminalLink(newsletter, Date.now())}` : undefined;
  announce(`Site:     ${url}`);
  announce(`Sign-ups: ${newsletter.places.signUps}`);
  const synced = describeSyncedFolder(newsletter.env.DATA_DIR);
  if (synced !== undefined) announce(synced);
  announce(`Mail:     ${newsletter.places.mail}${newsletter.env.SMTP_URL ? '' : ' (set SMTP_URL to send it)'}`);
  if (newsletter.places.sheet) announce(`Sheet:    ${newsletter.places.sheet}`);
  if (env.SITE_URL === undefined) {
    announce(
      `Search engines are asked not to list the site, and links in emails begin with ${siteUrl} (set SITE_URL to the public URL).`,
    );
  }
  announce(`Desk:     ${link ?? `${origin}/desk`}`);
  if (link !== undefined) announce('This link works once, for 15 minutes; npm run desk prints another.');
  return link;
}

/** Sends what is under /desk to the desk's thread, and everything else to the site. */
function routeDesk(desk: DeskThread, site: SiteSwitch, env: Environment): SiteSwitch['fetch'] {
  const readClient = createClientIpReader(env.TRUSTED_PROXY_HEADER);
  return (request, bindings, context) =>
    IN_DESK.test(request.url)
      ? desk.fetch(request, readClient((bindings as HttpBindings).incoming))
      : site.fetch(request, bindings, context);
}

const IN_DESK = /^https?:\/\/[^/?#]+\/desk(?:[/?#]|$)/;

/** The pages contain the settings of their build; other settings would break links and forms. */
function refuseOtherSettings(built: SiteSettings, now: SiteSettings): void {
  const refuse = (name: string) => {
    throw new Error(
      `${name}: expected the value that the site was built with; run npm run build with the new value first`,
    );
  };
  if (built.siteUrl !== now.siteUrl) refuse('SITE_URL');
  if (built.hstsSubdomains !== now.hstsSubdomains) refuse('HSTS_SUBDOMAINS');
  if (built.newsletterEndpoint !== now.newsletterEndpoint) refuse('NEWSLETTER_ENDPOINT');
}

/** Ends the process on an unexpected error. Its message isn't logged, because it may quote a row of the list. */
function endOnError(): void {
  process.on('uncaughtException', (error) => {
    log(`The server is exiting because of an error: ${describeError(error)}.`);
    process.exit(1);
  });
}
