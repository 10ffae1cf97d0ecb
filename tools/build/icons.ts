import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

/** `bleed` is how much of each side is background: an icon that a system cuts to a shape of its own needs some. */
const ICONS = [
  { file: 'apple-touch-icon.png', size: 180, bleed: 0.04 },
  { file: 'icon-192.png', size: 192, bleed: undefined },
  { file: 'icon-512.png', size: 512, bleed: undefined },
  { file: 'icon-maskable-512.png', size: 512, bleed: 0.1 },
];

/**
 * Draws the icons from the site's own mark.
 * @param folder the built site, which gets the icons
 * @param look.mark an SVG; `background` fills an icon to its edge where a system cuts it to shape
 */
export async function drawIcons(folder: string, look: { mark: string; background: string }): Promise<void> {
  await Promise.all(
    ICONS.map(({ file, size, bleed }) => {
      const source = bleed === undefined ? look.mark : onBackground(look, bleed);
      return writeFile(
        join(folder, file),
        new Resvg(source, { fitTo: { mode: 'width', value: size } }).render().asPng(),
      );
    }),
  );
}

function onBackground({ mark, background }: { mark: string; background: string }, bleed: number): string {
  const [place, size] = [bleed * 100, (1 - 2 * bleed) * 100];
  const inner = mark.replace('<svg ', `<svg x="${place}" y="${place}" width="${size}" height="${size}" `);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="${background}"/>${inner}</svg>`;
}
