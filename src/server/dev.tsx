/// <reference types="vite/types/importMeta.d.ts" />
/** The site under Vite's development server: pages are rendered on each request, styles are linked one by one. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { collectFiles } from '#build/made-files.ts';
import { type MadeContent, makeSiteContent } from '#build/make-fonts-and-pictures.ts';
import { MARK_FILES, PORTRAIT_FILES } from '#content/pictures/picture-files.ts';
import { checkPaths, readWholeContent } from '#content/read-content-folder.ts';
import { loadSettings } from '#settings/settings-file.ts';
import { listSitePages } from '#pages/index.tsx';
import { addFooterLinks } from '#pages/render-page.tsx';
import { parseEnvironment, rejectLocalLinks } from '#settings/environment.ts';
import { pickSiteSettings } from '#settings/site-settings.ts';
import { log } from './log.ts';
import { openNewsletter, type Newsletter } from '#newsletter/open-newsletter.ts';
import { createDevelopmentApp } from './routes.tsx';

loadSettings();
const env = parseEnvironment(process.env);
rejectLocalLinks(env);

// This module runs again at every change; the store stays open, and pictures are made only if they changed.
const kept = globalThis as typeof globalThis & {
  newsletter?: Promise<Newsletter>;
  made?: { key: string; content: Promise<MadeContent> };
};

const made = await readSite();

const NONCE = randomUUID();
// The layers' order, then every component's styles.
const SHEETS = [
  '/src/layout/styles/layers.css?direct',
  ...Object.keys(import.meta.glob('/src/{layout,pages,components,client}/**/*.css')).map((file) => `${file}?direct`),
];
const HEAD = [
  `<meta property="csp-nonce" nonce="${NONCE}">`,
  '<script type="module" src="/@vite/client"></script>',
  '<script type="module" src="/@react-preamble"></script>',
  `<link rel="stylesheet" href="${SHEETS[0]}">`,
  `<style nonce="${NONCE}">${made.site.styles.fonts}${made.site.styles.tokens}</style>`,
  ...SHEETS.slice(1).map((file) => `<link rel="stylesheet" href="${file}">`),
].join('');

kept.newsletter ??= openNewsletter(env, made.site).then(async (newsletter) => {
  await newsletter.startDeliveries(env.SITE_URL ?? `http://localhost:${env.PORT}`, log);
  return newsletter;
});

const site = addFooterLinks({
  content: made.site,
  settings: pickSiteSettings(env),
  assets: {
    loader: '/src/client/entry.ts',
    interactions: '/src/client/interactions.ts',
    fonts: [],
    shareImages: {},
  },
});
const routes = createDevelopmentApp(site, { newsletter: await kept.newsletter, log });

export default {
  fetch: async (request: Request, bindings: object): Promise<Response> => {
    const path = new URL(request.url).pathname;
    if (/^\/desk(\/|$)/.test(path)) return new Response(NO_DESK, { status: 404 });
    const file = made.files.get(path.slice(1));
    if (file !== undefined)
      return new Response(Buffer.from(file), { headers: { 'Content-Type': TYPES[extname(path)]! } });
    const response = await routes.fetch(request, bindings);
    // The site's own policy, except for styles that Vite inserts as they change, which have this nonce.
    const policy = response.headers.get('Content-Security-Policy')!;
    response.headers.set('Content-Security-Policy', policy.replace('style-src', `style-src 'nonce-${NONCE}'`));
    if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
    const html = await response.text();
    return new Response(
      html.replace('</head>', () => `${HEAD}</head>`),
      response,
    );
  },
};

const NO_DESK = 'npm run dev serves only the site. The desk is part of npm start, which prints a link to it.\n';

const TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

async function readSite(): Promise<MadeContent> {
  const root = join(import.meta.dirname, '../..');
  const folder = resolve(root, process.env.CONTENT_DIR ?? 'content');
  const publicFolder = join(root, 'public');
  const content = await readWholeContent(folder);
  const pictures = [...MARK_FILES, ...PORTRAIT_FILES].map((file) =>
    statSync(join(folder, file), { throwIfNoEntry: false }),
  );
  const key = JSON.stringify([content, pictures.map((stats) => stats?.mtimeMs)]);
  if (kept.made?.key !== key) {
    const drawings = {
      favicon: join(root, 'src/layout/favicon.svg'),
      mark: join(root, 'src/layout/mark.svg'),
      portrait: join(root, 'src/pages/home/portrait.svg'),
    };
    const sources = { folder, publicFolder, content };
    kept.made = { key, content: makeSiteContent({ ...sources, drawings, made: collectFiles() }) };
  }
  const current = await kept.made.content;
  const paths = listSitePages(current.site).map(({ path }) => path);
  checkPaths(content, { folder, publicFolder }, paths);
  return current;
}
