import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { CROWD, FINALISTS, NEAR } from '#site/ui/dot-field-dots.ts';
import type { Brand } from '#shared/brand.ts';
import { brandedTokens, palette } from '#content/brand.ts';
import type { Mark } from '#content/pictures.ts';
import { textSetter } from './set-text.ts';

const WIDTH = 1200;
const HEIGHT = 630;

/** In pixels: of the texts' left edge, and the most that a line of the headline takes. */
const LEFT = 80;
const HEADLINE_WIDTH = 620;

const MARK_HEIGHT = 54;

export type ShareImage = { file: string; bytes: Uint8Array };

/** How the agency looks: its name, its mark, and the colours and fonts of its brand. */
type Look = { agencyName: string; mark: Mark; brand: Brand };

/**
 * Draws the pictures that are shown where a page is shared: its words on the hero's ground, with the field of dots.
 * @returns for each page's path, a PNG of 1200×630 pixels and the address of it in the built site
 */
export async function drawShareImages(
  pages: { path: string; share: Words }[],
  { agencyName, mark, brand }: Look,
): Promise<Record<string, ShareImage>> {
  const texts = pages.flatMap(({ share }) => [share.eyebrow, share.headline]).join('') + agencyName;
  const setText = await textSetter(brand.fonts, [...new Set(texts.normalize('NFC'))].join(''));
  const colours = palette(brandedTokens(brand), 'light');
  const named = brand.nameBesideMark ? agencyName : '';
  const drawn = pages.map(async ({ path, share }) => {
    const svg = picture([wordsOf(share, colours, setText), signature(named, mark, colours, setText)], colours);
    const bytes = await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
    return [path, { file: `assets/share-${name}-${hash}.png`, bytes }] as const;
  });
  return Object.fromEntries(await Promise.all(drawn));
}

type Words = { eyebrow: string; headline: string };
type Colours = Record<string, string>;
type SetText = Awaited<ReturnType<typeof textSetter>>;

function picture(parts: string[], colours: Colours): string {
  return `
    <svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
      <radialGradient id="ground" gradientUnits="userSpaceOnUse" cx="900" cy="300" r="640">
        <stop stop-color="${colours.glow}"/>
        <stop offset="1" stop-color="${colours.deep}"/>
      </radialGradient>
      <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#ground)"/>
      ${fieldOfDots(colours)}
      ${parts.join('')}
    </svg>`;
}

function wordsOf({ eyebrow, headline }: Words, colours: Colours, setText: SetText): string {
  const size = headline.length > 45 ? 70 : 84;
  return [
    setText(eyebrow, { use: 'text', size: 27, spacing: 0.06, fill: colours.sun!, x: LEFT, y: 97 }),
    setText(headline, {
      use: 'headings',
      size,
      spacing: -0.022,
      fill: colours['on-deep']!,
      x: LEFT,
      y: 132 + 0.765 * size,
      lineHeight: 1.06 * size,
      maxWidth: HEADLINE_WIDTH,
    }),
  ].join('');
}

/** The agency's mark with its name beside it, a little to the left so that round marks seem to stand on the edge. */
function signature(name: string, mark: Mark, colours: Colours, setText: SetText): string {
  const x = LEFT - 10;
  const width = Math.min((MARK_HEIGHT * mark.width) / mark.height, 6 * MARK_HEIGHT);
  return [
    `<image href="${mark.address}" x="${x}" y="512" width="${width}" height="${MARK_HEIGHT}"/>`,
    setText(name, { use: 'headings', size: 42, fill: colours['on-deep']!, x: x + width + 14, y: 549 }),
  ].join('');
}

function fieldOfDots(colours: Colours): string {
  const ring = ({ path, size, opacity }: (typeof NEAR)[number]) =>
    `<path d="${path}" stroke-width="${size}" opacity="${opacity}"/>`;
  const finalist = ([x, y]: (typeof FINALISTS)[number]) => `
    <circle cx="${x}" cy="${y}" r="7" fill="${colours.sun}" stroke="none"/>
    <circle cx="${x}" cy="${y}" r="15" stroke-width="1.5"/>`;
  return `
    <svg x="615" y="13" width="630" height="604" viewBox="0 0 480 460" fill="none">
      <g stroke="${colours['on-deep']}" stroke-linecap="round">
        ${NEAR.map(ring).join('')}
        <g opacity=".5">${CROWD.map(ring).join('')}</g>
      </g>
      <g stroke="${colours.sun}">
        <path d="M${FINALISTS.map(([x, y]) => `${x} ${y}`).join('L')}Z" stroke-width="1.2" opacity=".6"/>
        ${FINALISTS.map(finalist).join('')}
      </g>
    </svg>`;
}
