import { createHash } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import { createElement as h } from 'react';
import satori, { type Font } from 'satori';
import subsetFont from 'subset-font';
import { CROWD, FINALISTS, NEAR } from '#site/ui/dot-field-dots.ts';
import type { Brand } from '#shared/brand.ts';
import { brandedTokens, palette } from '../content/brand.ts';
import { chooseFaces } from './faces.ts';
import type { Mark } from './mark.ts';

const WIDTH = 1200;
const HEIGHT = 630;

const MARK_HEIGHT = 54;

export type ShareImage = { file: string; bytes: Uint8Array };

/** How the agency looks: its name, its mark, and the colours and fonts of its brand. */
type Look = { agencyName: string; mark: Mark; brand: Brand };

/**
 * Draws the pictures that are shown where a page is shared: its words on the hero's ground, with the field of dots.
 * @returns for each page's path, a PNG of 1200×630 pixels and the address of it in the built site
 */
export async function drawShareImages(
  pages: { path: string; share: { eyebrow: string; headline: string } }[],
  { agencyName, mark, brand }: Look,
): Promise<Record<string, ShareImage>> {
  const texts = pages.flatMap(({ share }) => [share.eyebrow, share.headline]).join('') + agencyName;
  const fonts = await fontsFor(brand.fonts, [...new Set(texts.normalize('NFC'))].join(''));
  const colours = palette(brandedTokens(brand), 'light');
  const named = brand.nameBesideMark ? agencyName : '';
  const drawn = pages.map(async ({ path, share }) => {
    const svg = await satori(picture({ ...share, agencyName: named, mark, colours }), {
      width: WIDTH,
      height: HEIGHT,
      fonts,
    });
    const bytes = new Resvg(svg).render().asPng();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
    return [path, { file: `assets/share-${name}-${hash}.png`, bytes }] as const;
  });
  return Object.fromEntries(await Promise.all(drawn));
}

/** The site's own faces, in the one form that satori reads with every axis pinned. */
function fontsFor(families: Brand['fonts'], letters: string): Promise<Font[]> {
  return Promise.all(
    chooseFaces(families, letters).faces.map(async ({ use, font, letters: own, axes }): Promise<Font> => {
      const pinned = Object.fromEntries(
        Object.entries(axes).map(([axis, value]) => [axis, typeof value === 'number' ? value : 500]),
      );
      const data = await subsetFont(font, own, { targetFormat: 'sfnt', variationAxes: pinned });
      return { name: use, data: Buffer.from(data), weight: 400, style: 'normal' };
    }),
  );
}

function picture(of: {
  eyebrow: string;
  headline: string;
  agencyName: string;
  mark: Mark;
  colours: Record<string, string>;
}) {
  const { eyebrow, headline, agencyName, mark, colours } = of;
  const text = (content: string, style: object) => h('div', { style: { display: 'flex', ...style } }, content);
  return h(
    'div',
    {
      style: {
        display: 'flex',
        width: WIDTH,
        height: HEIGHT,
        color: colours['on-deep'],
        backgroundColor: colours.deep,
        backgroundImage: `radial-gradient(circle at 900px 300px, ${colours.glow}, ${colours.deep} 640px)`,
      },
    },
    h('img', {
      src: fieldOfDots(colours),
      width: 630,
      height: 604,
      style: { position: 'absolute', left: 615, top: 13 },
    }),
    h(
      'div',
      {
        style: {
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'space-between',
          width: 700,
          padding: '72px 0 64px 80px',
        },
      },
      h(
        'div',
        { style: { display: 'flex', flexDirection: 'column' } },
        text(eyebrow, { fontFamily: 'text', fontSize: 27, color: colours.sun, letterSpacing: '0.06em' }),
        text(headline, {
          marginTop: 28,
          fontFamily: 'headings',
          fontSize: headline.length > 45 ? 70 : 84,
          lineHeight: 1.06,
          letterSpacing: '-0.022em',
        }),
      ),
      h(
        'div',
        { style: { display: 'flex', alignItems: 'center', fontFamily: 'headings', fontSize: 42 } },
        h('img', {
          src: mark.address,
          width: Math.min((MARK_HEIGHT * mark.width) / mark.height, 6 * MARK_HEIGHT),
          height: MARK_HEIGHT,
          style: { margin: '0 14px 0 -10px' },
        }),
        agencyName,
      ),
    ),
  );
}

function fieldOfDots(colours: Record<string, string>): string {
  const ring = ({ path, size, opacity }: (typeof NEAR)[number]) =>
    `<path d="${path}" stroke-width="${size}" opacity="${opacity}"/>`;
  const rings = [...NEAR.map(ring), '<g opacity=".5">', ...CROWD.map(ring), '</g>'];
  const finalists = FINALISTS.map(
    ([x, y]) =>
      `<circle cx="${x}" cy="${y}" r="7" fill="${colours.sun}"/><circle cx="${x}" cy="${y}" r="15" fill="none" stroke="${colours.sun}" stroke-width="1.5"/>`,
  );
  const triangle = `<path d="M${FINALISTS.map(([x, y]) => `${x} ${y}`).join('L')}Z" fill="none" stroke="${colours.sun}" stroke-width="1.2" opacity=".6"/>`;
  return asAddress(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 460"><g fill="none" stroke="${colours['on-deep']}" stroke-linecap="round">${rings.join('')}</g>${triangle}${finalists.join('')}</svg>`,
  );
}

function asAddress(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
