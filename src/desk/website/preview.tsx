import { extname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { useContext } from 'react';
import { getMimeType } from 'hono/utils/mime';
import { type LookOverrides, previewPage, previewSite } from '#build/preview-page.ts';
import { renderSignUpMails } from '#newsletter/mails/sign-up-mails.tsx';
import { chooseFontFiles } from '#content/brand/font-families.ts';
import { BANNER_PARTS } from '#client/cookie-banner/banner-parts.ts';
import { findPicture, PORTRAIT_SIZE, toMark } from '#content/pictures/picture-files.ts';
import { readContent } from '#content/parse-content.ts';
import { readBuiltSite } from '#build/built-site.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import type { HeaderMark, Portrait } from '#content/site-content.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { fill } from '../mail-preview.ts';
import { Tabs } from '../tabs.tsx';
import { WEB_PAGE_HEADERS } from '../desk-headers.ts';
import { PAGE_KEY } from '../security.ts';
import { FormState } from '../ui.tsx';
import { readPicture } from '#newsletter/updates/stored-pictures.ts';
import { type FieldState, readFields, type Site } from './draft.ts';
import type { OpenSite } from './open-site.ts';
import { checkFields } from './check-fields.ts';
import type { Preview } from './site-parts.ts';
import { namePicture, PICTURES } from '#content/source-files.ts';

type PreviewDesk = Pick<WebsiteDesk, 'shown' | 'env' | 'picturesKey'> & {
  places: Pick<WebsiteDesk['places'], 'build' | 'site'>;
};

/** Adds a preview of the draft as visitors will see it, for the frame next to a form. It can't run scripts. */
export function addPreviewFrame(app: Hono, desk: PreviewDesk, open: OpenSite): void {
  // The content that is shown while the draft has an error; at first, the live content.
  let last: Content | undefined;
  // The built site's content: the files for a static host may contain an error.
  const live = () => join(desk.shown.folder, 'content');
  const code = join(desk.places.build, 'server');
  app.get('/desk/website/preview/:scheme{light|dark}', async (context) => {
    for (const [name, value] of Object.entries(WEB_PAGE_HEADERS)) context.header(name, value);
    const site = await open(context);
    const built = readBuiltSite(desk.shown.folder);
    const fields = readFields(site);
    last = checkFields(site, fields).content ?? last ?? readContent(live());
    const { mail = '', path = '/', place } = context.req.query();
    const preview = previewSite(built, last, { code, look: await findLookOverrides(site, last, fields) });
    const html =
      mail in last.mail
        ? fill(desk, renderSignUpMails(preview.content)[mail as keyof Content['mail']]).html
        : await previewPage(preview, path, code);
    if (html === undefined) return context.notFound();
    const late = join(desk.places.site, built.assets.lateStyles ?? '');
    const banner = place === BANNER_PARTS.root ? `<style>${readFileSync(late, 'utf8')}${SHOW_BANNER}</style>` : '';
    return context.html(adaptToFrame(html, context.req.param('scheme')).replace('</head>', `${banner}</head>`));
  });
  addPortraits(app, code, open, () => (last ?? readContent(live())).brand);
  app.get('/desk/website/picture/:name{[0-9a-f]+\\.[a-z]+}', async (context) => {
    const name = context.req.param('name');
    const bytes = await readDraftPicture(await open(context), name);
    if (bytes === undefined) return context.notFound();
    return context.body(new Uint8Array(bytes), 200, { 'Content-Type': getMimeType(name) ?? 'image/jpeg' });
  });
}

/** Adds the portrait as the page shows it: the photograph in the page's crop, or the drawing in the draft's colours. */
function addPortraits(app: Hono, code: string, open: OpenSite, readBrand: (site: Site) => Content['brand']): void {
  app.get('/desk/website/portrait', async (context) => {
    const brand = readBrand(await open(context));
    const { recolourDrawing } = await import('#build/brand-drawings.ts');
    const paths = { favicon: '', mark: '', portrait: join(code, 'portrait.svg') };
    return context.body(recolourDrawing('portrait', brand, paths), 200, { 'Content-Type': 'image/svg+xml' });
  });
  app.get('/desk/website/portrait/:name{[0-9a-f]+\\.[a-z]+}', async (context) => {
    const site = await open(context);
    const bytes = await readDraftPicture(site, context.req.param('name'));
    if (bytes === undefined) return context.notFound();
    const { makePreviewPortrait } = await import('#build/make-pictures.ts');
    const picture = await makePreviewPortrait(bytes, readBrand(site));
    return context.body(new Uint8Array(picture), 200, { 'Content-Type': 'image/jpeg' });
  });
}

const SHOW_BANNER = `#${BANNER_PARTS.root}, #${BANNER_PARTS.root} > [hidden] { display: revert }`;

/** Forces one colour scheme, whatever the browser prefers, and disables links. */
function adaptToFrame(html: string, scheme: string): string {
  return (
    html
      // The frame would block these, and log errors to the console.
      .replaceAll(/<script\b[^]*?<\/script>|<link rel="(stylesheet|manifest)"[^>]*>/g, '')
      .replaceAll(/\(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? '(min-width: 0)' : '(max-width: 0)')
      .replace('</head>', '<base target="_blank"></head>')
  );
}

/** The draft's new pictures and font families, which the site doesn't have yet. */
async function findLookOverrides(site: Site, content: Content, fields: FieldState[]): Promise<LookOverrides> {
  const changed = fields.filter(({ isChanged }) => isChanged);
  const look: LookOverrides = {};
  for (const { field, value } of changed.filter((each) => each.field.kind === 'picture')) {
    const name = value as string;
    if (field.name === 'mark') look.mark = name === '' ? undefined : await measureMark(site, name);
    else look.portrait = describePortrait(name);
  }
  if (changed.some(({ key }) => key.startsWith('brand.fonts'))) look.fonts = embedFonts(content.brand.fonts);
  return look;
}

async function measureMark(site: Site, name: string): Promise<HeaderMark | undefined> {
  const bytes = await readDraftPicture(site, name);
  if (bytes === undefined) return undefined;
  const { fitHeader } = await import('#build/make-pictures.ts');
  return { src: `/desk/website/picture/${name}`, ...fitHeader(await toMark(bytes, name.endsWith('.svg'))) };
}

/** @param name empty for the design's drawing */
function describePortrait(name: string): Portrait {
  const src = name === '' ? '/desk/website/portrait' : `/desk/website/portrait/${name}`;
  const sources = name === '' ? [] : [{ type: 'image/jpeg', srcSet: `${src} ${PORTRAIT_SIZE.width}w` }];
  return { src, sources, ...PORTRAIT_SIZE };
}

/** Embeds the complete files of the font families in the page. */
function embedFonts(fonts: Content['brand']['fonts']): string {
  const files = chooseFontFiles(fonts, 'a');
  const faces = files.map(({ family, font, weight }) => {
    const src = `url(data:font/woff2;base64,${font.toString('base64')})`;
    return `@font-face{font-family:'${family}';src:${src};font-weight:${weight}}`;
  });
  return faces.join('');
}

/** Reads a stored picture, or a file of content/. @param name as returned by `namePicture` */
export async function readDraftPicture(site: Site, name: string): Promise<Buffer | undefined> {
  const stored = await readPicture(site.store.db, name);
  if (stored) return stored;
  const live = Object.values(PICTURES).flatMap((files) => findPicture(site.content, [...files]) ?? []);
  return live
    .map((file) => ({ file, bytes: readFileSync(file) }))
    .find(({ file, bytes }) => {
      return namePicture(bytes, extname(file)) === name;
    })?.bytes;
}

type FrameProps = {
  /** The address of the desk's page. */
  page: string;
  shown: Preview;
  query: Record<string, string | undefined>;
  isWrong: boolean;
};

/** Shows the preview as on a phone or a computer, in light or dark. */
export function Frame({ page, shown, query, isWrong }: FrameProps) {
  const { pageKey = '' } = useContext(FormState);
  const screen = query.screen === 'computer' ? 'computer' : 'phone';
  const scheme = query.scheme === 'dark' ? 'dark' : 'light';
  const link = (label: string, chosen: { screen: string; scheme: string }) => ({
    label,
    href: `${page}?${String(new URLSearchParams(chosen))}#preview`,
    isChosen: chosen.screen === screen && chosen.scheme === scheme,
  });
  return (
    <div className="preview" id="preview">
      <div className="line">
        <Tabs
          label="Screen"
          links={[link('Phone', { screen: 'phone', scheme }), link('Computer', { screen: 'computer', scheme })]}
        />
        <Tabs
          label="Scheme"
          links={[link('Light', { screen, scheme: 'light' }), link('Dark', { screen, scheme: 'dark' })]}
        />
      </div>
      <p className="error" data-live="frame-state" hidden={!isWrong}>
        {isWrong && 'This preview is from before the mistake. It will update again once you’ve fixed it.'}
      </p>
      <div className={`screen ${screen}`}>
        <iframe
          title="Your page"
          src={`/desk/website/preview/${scheme}?${String(new URLSearchParams({ ...shown, [PAGE_KEY]: pageKey }))}`}
          sandbox="allow-same-origin"
          data-place={'place' in shown ? shown.place : undefined}
        />
      </div>
    </div>
  );
}
