import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { createElement as h } from 'react';
import satori, { type Font } from 'satori';
import subsetFont from 'subset-font';
import { CROWD, FINALISTS, NEAR } from '#site/ui/dot-field-dots.ts';
import { FACES } from './fonts-plugin.ts';

const WIDTH = 1200;
const HEIGHT = 630;

export type ShareImage = { file: string; bytes: Uint8Array };

/**
 * Draws the pictures that are shown where a page is shared: its words on the hero's green, with the field of dots.
 * @param mark the site's icon as SVG
 * @returns for each name, a PNG of 1200×630 pixels and the address of it in the built site
 */
export async function drawShareImages(
  pages: { name: string; share: { eyebrow: string; headline: string } }[],
  { agencyName, mark }: { agencyName: string; mark: string },
): Promise<Record<string, ShareImage>> {
  const texts = pages.flatMap(({ share }) => [share.eyebrow, share.headline]).join('') + agencyName;
  const [fonts, colours] = [await fontsFor(texts), readColours()];
  const drawn = pages.map(async ({ name, share }) => {
    const svg = await satori(picture({ ...share, agencyName, mark, colours }), { width: WIDTH, height: HEIGHT, fonts });
    const bytes = new Resvg(svg).render().asPng();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    return [name, { file: `assets/share-${name}-${hash}.png`, bytes }] as const;
  });
  return Object.fromEntries(await Promise.all(drawn));
}

/** The site's own faces, in the one form that satori reads with every axis pinned. */
function fontsFor(texts: string): Promise<Font[]> {
  return Promise.all(
    FACES.map(async ({ family, source, axes }): Promise<Font> => {
      const pinned = Object.fromEntries(
        Object.entries(axes).map(([axis, value]) => [axis, typeof value === 'number' ? value : 500]),
      );
      const file = readFileSync(createRequire(import.meta.url).resolve(source));
      const data = await subsetFont(file, texts, { targetFormat: 'sfnt', variationAxes: pinned });
      return { name: family, data: Buffer.from(data), weight: 400, style: 'normal' };
    }),
  );
}

/** The colours of the site's design tokens, by name. */
function readColours(): Record<string, string> {
  const css = readFileSync(new URL('../../src/site/styles/tokens.css', import.meta.url), 'utf8');
  return Object.fromEntries([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

function picture(of: {
  eyebrow: string;
  headline: string;
  agencyName: string;
  mark: string;
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
        text(eyebrow, { fontFamily: 'Figtree', fontSize: 27, color: colours.sun, letterSpacing: '0.06em' }),
        text(headline, {
          marginTop: 28,
          fontFamily: 'Newsreader',
          fontSize: headline.length > 45 ? 70 : 84,
          lineHeight: 1.06,
          letterSpacing: '-0.022em',
        }),
      ),
      h(
        'div',
        { style: { display: 'flex', alignItems: 'center', fontFamily: 'Newsreader', fontSize: 42 } },
        h('img', { src: asAddress(mark), width: 54, height: 54, style: { margin: '0 14px 0 -10px' } }),
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
