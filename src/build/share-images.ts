import { Renderer } from '@takumi-rs/core';
import sharp from 'sharp';
import { OUTER_RINGS, HIGHLIGHTED, GRID, INNER_RINGS } from '#components/dot-field-dots.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import { HEADING_WEIGHT } from '#shared/design-tokens.ts';
import { makeBrandColours, resolveColours } from '#content/brand/brand-colours.ts';
import type { FontFile } from '#content/brand/font-families.ts';
import type { Mark } from '#content/pictures/picture-files.ts';
import type { MadeFiles } from './made-files.ts';
import { chooseShareFonts, type SharedPage, toDrawable } from './share-fonts.ts';

/**
 * Draws the pictures of link previews: the page's text on the hero's background, with the field of dots.
 * Takumi doesn't use system fonts, so the pictures look the same wherever they are built.
 * @param made receives the pictures, as PNGs of 1200×630 pixels
 * @returns the URL of each, by the path of its page
 */
export async function drawShareImages(
  made: MadeFiles,
  pages: SharedPage[],
  { agencyName, mark, brand }: { agencyName: string; mark: Mark; brand: Brand },
): Promise<Record<string, string>> {
  const texts = `${pages.flatMap(({ share }) => [share.eyebrow, share.headline]).join('')}${agencyName}`;
  const { files, missing } = chooseShareFonts(brand, toDrawable(texts));
  if (missing.length > 0) {
    console.warn(
      `The pictures of link previews leave out ${missing.join(' ')}: none of the project’s fonts has these.`,
    );
  }
  let renderer: Promise<ShareRenderer> | undefined;
  const drawn = pages.map(async ({ path, share: { eyebrow, headline } }) => {
    const text = (className: keyof typeof LINES, line: string) =>
      ({ type: 'text', className, text: leaveOut(toDrawable(line), missing) }) as const;
    const lines = [
      text('eyebrow', eyebrow),
      text('headline', headline),
      text('name', brand.nameBesideMark ? agencyName : ''),
    ];
    const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
    const make = async () => (await (renderer ??= openRenderer(files, mark, brand)))(lines);
    return [path, await made.add(`share-${name}.png`, [lines, mark.source, brand], make)] as const;
  });
  return Object.fromEntries(await Promise.all(drawn));
}

function leaveOut(text: string, letters: string[]): string {
  if (letters.length === 0) return text;
  const left = [...text].filter((letter) => !letters.includes(letter)).join('');
  // Without the invisible characters that joined emoji.
  return left
    .replaceAll(/[\p{Join_Control}\p{Variation_Selector}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Draws lines of text over the background. */
type ShareRenderer = (texts: Line[]) => Promise<Buffer>;

type Line = { type: 'text'; className: keyof typeof LINES; text: string };

async function openRenderer(files: FontFile[], mark: Mark, brand: Brand): Promise<ShareRenderer> {
  const named = files.map((file, index) => ({ ...file, name: `font-${index}` }));
  const renderer = new Renderer();
  for (const { name, font } of named) await renderer.registerFont({ name, data: font });

  const colours = resolveColours(makeBrandColours(brand), 'light');
  const shown = await cropToVisible(mark, colours.deep);
  const src = await sharp(Buffer.from(drawGround(colours, shown))).toBuffer();
  const css = writeStyles(colours, named, shown.width);
  return async (texts) => {
    const options = { width: 1200, height: 630, css: [css] };
    const fitted = await Promise.all(texts.map((text) => fit(renderer, text, options)));
    const nodes = [{ type: 'image', src } as const, ...fitted];
    const picture = await renderer.render({ type: 'container', children: nodes }, options);
    return sharp(picture).removeAlpha().png().toBuffer();
  };
}

/** In pixels; a wide mark is at most six times as wide. */
const MARK_HEIGHT = 48;

/** The sizes of the lines, the preferred ones first, and the height for each, in pixels. */
const LINES = {
  eyebrow: { sizes: [27, 22, 18], height: 56 },
  headline: { sizes: [84, 70, 54, 44, 36, 30], height: 340 },
  name: { sizes: [42, 32, 24], height: 2 * MARK_HEIGHT },
};

/** Sets a line in the first size in which it fits, without breaking a word. In the last size, it may break one. */
async function fit(renderer: Renderer, line: Line, options: { width: number; height: number; css: string[] }) {
  const { sizes, height } = LINES[line.className];
  for (const fontSize of sizes) {
    const unbroken = { ...line, style: { fontSize, overflowWrap: 'normal' } } as const;
    const { children } = await renderer.measure({ type: 'container', children: [unbroken] }, options);
    const [{ width, height: needed, runs } = { width: 0, height: 0, runs: [] }] = children;
    // The width of a run includes the space after it.
    const isWordTooLong = runs.some((run) => !run.text.trim().includes(' ') && run.width > width + fontSize / 3);
    if (needed <= height && !isWordTooLong) return { ...line, style: { fontSize } };
  }
  return { ...line, style: { fontSize: sizes.at(-1)! } };
}

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
    .eyebrow, .name { right: 80px; overflow-wrap: anywhere }
    .headline, .name { font-family: ${listFonts('headings')}; font-weight: ${HEADING_WEIGHT}; font-variation-settings: "opsz" 72 }
    .eyebrow { top: 71px; font-family: ${listFonts('text')}; font-weight: 500; line-height: 1.2; letter-spacing: 0.06em }
    .eyebrow { color: ${colours.sun} }
    .headline { top: 132px; width: 620px; line-height: 1.06; letter-spacing: -0.022em; overflow-wrap: anywhere }
    .name { top: 512px; left: ${80 + markWidth + 18}px; line-height: ${MARK_HEIGHT}px }`;
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
