import { Renderer } from '@takumi-rs/core';
import sharp from 'sharp';
import { OUTER_RINGS, HIGHLIGHTED, GRID, INNER_RINGS } from '#components/dot-field-dots.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import { HEADING_WEIGHT } from '#shared/design-tokens.ts';
import { makeBrandColours, resolveColours } from '#content/brand/brand-colours.ts';
import { chooseFontFiles, type FontFile } from '#content/brand/font-families.ts';
import type { Mark } from '#content/pictures/picture-files.ts';
import type { MadeFiles } from './made-files.ts';

/**
 * Draws the pictures of link previews: the page's text on the hero's background, with the field of dots.
 * Takumi doesn't use system fonts, so the pictures look the same wherever they are built.
 * @param made receives the pictures, as PNGs of 1200×630 pixels
 * @returns the URL of each, by the path of its page
 */
export async function drawShareImages(
  made: MadeFiles,
  pages: { path: string; share: { eyebrow: string; headline: string } }[],
  { agencyName, mark, brand }: { agencyName: string; mark: Mark; brand: Brand },
): Promise<Record<string, string>> {
  const texts = `${pages.flatMap(({ share }) => [share.eyebrow, share.headline]).join('')}${agencyName}’`;
  const { files, missing } = chooseFonts(brand, [...new Set(texts)]);
  if (missing.length > 0) {
    console.warn(
      `The pictures of link previews leave out ${missing.join(' ')}: none of the project’s fonts has these.`,
    );
  }
  let renderer: Promise<ShareRenderer> | undefined;
  const drawn = pages.map(async ({ path, share: { eyebrow, headline } }) => {
    const text = (className: string, line: string) =>
      ({ type: 'text', className, text: leaveOut(line, missing).replaceAll("'", '’') }) as const;
    const lines = [
      text('eyebrow', eyebrow),
      text(`headline ${chooseSize(headline)}`, headline),
      text('name', brand.nameBesideMark ? agencyName : ''),
    ];
    const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
    const make = async () => (await (renderer ??= openRenderer(files, mark, brand)))(lines);
    return [path, await made.add(`share-${name}.png`, [lines, mark.source, brand], make)] as const;
  });
  return Object.fromEntries(await Promise.all(drawn));
}

/** Chooses the brand's fonts and, for letters that these lack, others. @returns `missing`: letters that no font has */
function chooseFonts({ fonts }: Brand, letters: string[]): { files: FontFile[]; missing: string[] } {
  const isIn = (files: FontFile[], letter: string, use: FontFile['use']) =>
    files.some((file) => file.use === use && file.characters.includes(letter));
  const findMissing = (files: FontFile[]) =>
    letters.filter((letter) => !isIn(files, letter, 'headings') || !isIn(files, letter, 'text'));
  const own = chooseFontFiles(fonts, letters.join(''));
  const files = [...own, ...chooseFontFiles(SPARE_FONTS, findMissing(own).join(''))];
  return { files, missing: findMissing(files) };
}

/** Fonts with Cyrillic and Greek. */
const SPARE_FONTS: Brand['fonts'] = { headings: 'source-serif-4', text: 'source-sans-3' };

function leaveOut(text: string, letters: string[]): string {
  return [...text].filter((letter) => !letters.includes(letter)).join('');
}

/** Draws lines of text over the background. */
type ShareRenderer = (texts: { type: 'text'; className: string; text: string }[]) => Promise<Buffer>;

async function openRenderer(files: FontFile[], mark: Mark, brand: Brand): Promise<ShareRenderer> {
  const named = files.map((file, index) => ({ ...file, name: `font-${index}` }));
  const renderer = new Renderer();
  for (const { name, font } of named) await renderer.registerFont({ name, data: font });

  const colours = resolveColours(makeBrandColours(brand), 'light');
  const shown = await cropToVisible(mark, colours.deep);
  const src = await sharp(Buffer.from(drawGround(colours, shown))).toBuffer();
  const css = writeStyles(colours, named, shown.width);
  return async (texts) => {
    const nodes = [{ type: 'image', src } as const, ...texts];
    const picture = await renderer.render(
      { type: 'container', children: nodes },
      { width: 1200, height: 630, css: [css] },
    );
    return sharp(picture).removeAlpha().png().toBuffer();
  };
}

/** Long headlines, capitals and words longer than a line are set smaller, so that the headline ends above the mark. */
function chooseSize(headline: string): 'short' | 'long' | 'longer' | 'longest' {
  const capitals = headline.match(/\p{Lu}/gu)?.length ?? 0;
  const longestWord = Math.max(...headline.split(/\s+/).map(({ length }) => length));
  const length = Math.max(headline.length + 0.35 * capitals, 3.2 * longestWord);
  if (length > 100) return 'longest';
  if (length > 75) return 'longer';
  return length > 45 ? 'long' : 'short';
}

/** In pixels; a wide mark is at most six times as wide. */
const MARK_HEIGHT = 48;

/** Trims a mark's padding, so that its visible part is aligned with the text. */
async function cropToVisible({ source, isVector, height }: Mark, ground: string): Promise<Shown> {
  // Four times the size shown, to stay sharp when the visible part is enlarged.
  const density = isVector ? Math.min((72 * 4 * MARK_HEIGHT) / height, 100_000) : 72;
  const image = await sharp(source, { density, limitInputPixels: !isVector }).png().toBuffer();
  // In two steps, since sharp trims before it flattens.
  const { info } = await sharp(await sharp(image).flatten({ background: ground }).png().toBuffer())
    .trim({ background: ground, threshold: 12 })
    .toBuffer({ resolveWithObject: true });
  const area = { left: -info.trimOffsetLeft!, top: -info.trimOffsetTop!, width: info.width, height: info.height };
  const visible = await sharp(image).extract(area).png().toBuffer();
  const width = Math.min((MARK_HEIGHT * info.width) / info.height, 6 * MARK_HEIGHT);
  return { url: `data:image/png;base64,${visible.toString('base64')}`, width };
}

type Shown = { url: string; width: number };

function writeStyles(
  colours: Record<string, string>,
  fonts: (FontFile & { name: string })[],
  markWidth: number,
): string {
  const listFonts = (use: FontFile['use']) => fonts.flatMap((font) => (font.use === use ? [font.name] : [])).join(', ');
  return `
    .eyebrow, .headline, .name { position: absolute; left: 80px; color: ${colours['on-deep']} }
    .headline, .name { font-family: ${listFonts('headings')}; font-weight: ${HEADING_WEIGHT}; font-variation-settings: "opsz" 72 }
    .eyebrow { top: 71px; font-family: ${listFonts('text')}; font-weight: 500; font-size: 27px; letter-spacing: 0.06em }
    .eyebrow { color: ${colours.sun} }
    .headline { top: 132px; width: 620px; font-size: 84px; line-height: 1.06; letter-spacing: -0.022em; overflow-wrap: anywhere }
    .long { font-size: 70px }
    .longer { font-size: 54px }
    .longest { font-size: 44px }
    .name { top: 512px; left: ${80 + markWidth + 18}px; font-size: 42px; line-height: ${MARK_HEIGHT}px }`;
}

function drawGround(colours: Record<string, string>, mark: Shown): string {
  return `
    <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
      <radialGradient id="ground" gradientUnits="userSpaceOnUse" cx="900" cy="300" r="640">
        <stop stop-color="${colours.glow}"/>
        <stop offset="1" stop-color="${colours.deep}"/>
      </radialGradient>
      <rect width="1200" height="630" fill="url(#ground)"/>
      ${drawField(colours)}
      <image href="${mark.url}" x="80" y="512" width="${mark.width}" height="${MARK_HEIGHT}"/>
    </svg>`;
}

function drawField(colours: Record<string, string>): string {
  const drawRing = ({ path, size, opacity }: (typeof INNER_RINGS)[number]) =>
    `<path d="${path}" stroke-width="${size}" opacity="${opacity}"/>`;
  const drawHighlighted = ([x, y]: (typeof HIGHLIGHTED)[number]) => `
    <circle cx="${x}" cy="${y}" r="7" fill="${colours.sun}" stroke="none"/>
    <circle cx="${x}" cy="${y}" r="15" stroke-width="1.5"/>`;
  return `
    <svg x="615" y="13" width="630" height="604" viewBox="0 0 480 460" fill="none">
      <g stroke="${colours['on-deep']}" stroke-linecap="round" transform="scale(${GRID})">
        ${INNER_RINGS.map(drawRing).join('')}
        <g opacity=".5">${OUTER_RINGS.map(drawRing).join('')}</g>
      </g>
      <g stroke="${colours.sun}">
        <path d="M${HIGHLIGHTED.map(([x, y]) => `${x} ${y}`).join('L')}Z" stroke-width="1.2" opacity=".6"/>
        ${HIGHLIGHTED.map(drawHighlighted).join('')}
      </g>
    </svg>`;
}
