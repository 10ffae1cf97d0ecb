/// <reference types="vite/types/importMeta.d.ts" />
/** The site under Vite's development server: pages are rendered on each request, styles are linked one by one. */
import { randomUUID } from 'node:crypto';
import { agency, home, mail } from 'virtual:content';
import { openNewsletter, type Newsletter } from './newsletter/open-newsletter.ts';
import { loadSettings } from '#content/settings-file.ts';
import { parseEnvironment } from '#shared/environment.ts';
import { log } from './log.ts';
import { createRoutes } from './routes.tsx';
import { pickSiteSettings } from '#shared/site-settings.ts';

loadSettings();
const env = parseEnvironment(process.env);

const NONCE = randomUUID();
// The layers' order, then the fonts and the tokens, then every component's styles.
const SHEETS = [
  '/src/site/styles/layers.css?direct',
  '/@id/__x00__virtual:fonts.css?direct',
  '/@id/__x00__virtual:tokens.css?direct',
  ...Object.keys(import.meta.glob('/src/site/**/*.css')).map((file) => `${file}?direct`),
];
const HEAD = [
  `<meta property="csp-nonce" nonce="${NONCE}">`,
  '<script type="module" src="/@vite/client"></script>',
  ...SHEETS.map((file) => `<link rel="stylesheet" href="${file}">`),
].join('');

// This module runs again at every change; the store stays open.
const kept = globalThis as typeof globalThis & { newsletter?: Promise<Newsletter> };
kept.newsletter ??= openNewsletter(env, { agency, home, mail }).then(async (newsletter) => {
  await newsletter.startDeliveries(env.SITE_URL ?? `http://localhost:${env.PORT}`, log);
  return newsletter;
});

const site = {
  settings: pickSiteSettings(env),
  assets: {
    loader: '/src/site/islands/loader.ts',
    interactions: '/src/site/islands/interactions.ts',
    fonts: [],
    shareImages: {},
  },
};
const routes = createRoutes(site, undefined, { newsletter: await kept.newsletter, log });

export default {
  fetch: async (request: Request, bindings: object): Promise<Response> => {
    const response = await routes.fetch(request, bindings);
    // The site's own policy, but for styles that Vite puts in as they change: it knows them by this nonce.
    const policy = response.headers.get('Content-Security-Policy')!;
    response.headers.set('Content-Security-Policy', policy.replace('style-src', `style-src 'nonce-${NONCE}'`));
    if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
    const html = await response.text();
    return new Response(html.replace('</head>', `${HEAD}</head>`), response);
  },
};
