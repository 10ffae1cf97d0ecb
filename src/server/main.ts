import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { agency, home, mail } from 'virtual:content';
import { openReceiver } from '#receiver/open-receiver.ts';
import { type Environment, parseEnvironment } from '#shared/environment.ts';
import { addressesOf, type BuiltSite, readBuiltSite } from './built-site.ts';
import { siteHeaders } from './headers.ts';
import { prepareAnswers } from './prepared-answers.ts';
import { createRoutes } from './routes.tsx';
import { siteFiles } from './site-files.ts';
import { type SiteSettings, siteSettings } from '#shared/site-settings.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

try {
  await start(parseEnvironment(process.env));
} catch (error) {
  // What stops a start is the owner's to mend: the message says it, a stack would bury it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** The environment -> the store -> the routes -> listen -> deliveries. */
async function start(env: Environment): Promise<void> {
  const site = readBuiltSite(path('..'));
  refuseOtherSettings(site.settings, siteSettings(env));
  const receiver = await openReceiver(env, { agency, home, mail });
  const { answer, files, notFound } = answersFromBuild(site);
  const { fetch } = createRoutes(site, { files, notFound }, { receiver, log });
  const routes = getRequestListener(fetch, { hostname: env.HOST });
  const server = createServer((request, response) => {
    if (!answer(request, response)) void routes(request, response);
  });
  server.listen(env.PORT, env.HOST);
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  const address = `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${port}`;
  const siteUrl = env.SITE_URL ?? `http://localhost:${port}`;
  await receiver.startDeliveries(siteUrl, log);
  stopOnSignal(server, receiver.close);

  log(`Site:     ${address}`);
  log(`Sign-ups: ${receiver.places.signUps}`);
  log(`Mail:     ${receiver.places.mail}${env.SMTP_URL ? '' : ' (set SMTP_URL to send it)'}`);
  if (receiver.places.sheet) log(`Sheet:    ${receiver.places.sheet}`);
  if (env.SITE_URL === undefined) {
    log(
      `Search engines are told to stay away, and links in mails begin with ${siteUrl} (set SITE_URL to the public address).`,
    );
  }
}

/** Pages from memory, other files from the disk. */
function answersFromBuild(site: BuiltSite) {
  const folder = path('../site');
  const isPage = ([, file]: [string, string]) => site.documents.includes(file);
  const addresses = [...addressesOf(path('..'))];
  const pages = new Map(addresses.filter(isPage));
  const files = new Map(addresses.filter((entry) => !isPage(entry)));
  return { ...prepareAnswers(folder, pages, siteHeaders(site, agency.tags)), files: siteFiles(folder, files) };
}

/** The pages hold the settings they were built with; serving them under others would break links and forms. */
function refuseOtherSettings(built: SiteSettings, now: SiteSettings): void {
  const refuse = (name: string) => {
    throw new Error(`${name}: expected what the site was built with; run npm run build with the new value first`);
  };
  if (built.siteUrl !== now.siteUrl) refuse('SITE_URL');
  if (built.newsletterEndpoint !== now.newsletterEndpoint) refuse('NEWSLETTER_ENDPOINT');
}

/** Requests under way are answered first; a second signal does not wait. */
function stopOnSignal(server: Server, close: () => Promise<void>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const closed = once(server, 'close');
    server.close();
    // A browser keeps its connection open after its answer; it need not be waited for.
    const closing = setInterval(() => server.closeIdleConnections(), 50);
    await closed;
    clearInterval(closing);
    await close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}
