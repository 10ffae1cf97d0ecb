import { Renderer } from '@takumi-rs/core';
import { converter, wcagContrast } from 'culori';
import sharp from 'sharp';
import { makeBrandColours, resolveColours } from '#content/brand/brand-colours.ts';
import { PART_CONTRAST } from '#content/brand/contrast-pairs.ts';
import { isTooWideForIcons, type Mark, toMark } from '#content/pictures/picture-files.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import { chooseShareFonts } from './share-fonts.ts';

/**
 * Chooses the mark for an agency's icons: its own or, if that is too wide or too tall for a square, the initial of its
 * name.
 * @param mark as it is in the header
 */
export async function makeIconMark(mark: Mark, agencyName: string, brand: Brand): Promise<Mark> {
  return (isTooWideForIcons(mark) ? await drawInitial(agencyName, brand) : undefined) ?? mark;
}

/** The background of a mark in its icons. @property isNeededInTabs whether a tab's own colour may hide the mark */
export type IconGround = { colour: string; isNeededInTabs: boolean };

/**
 * Chooses a background on which a mark is visible.
 * @param candidates colours, the preferred one first
 */
export async function chooseGround(mark: Mark, candidates: string[]): Promise<IconGround> {
  const pixels = await readPixels(mark);
  const painted = pixels.reduce((sum, { alpha }) => sum + alpha, 0);
  const preferred = candidates[0]!;
  // A filled shape is its own background.
  if (painted / pixels.length > 0.9) return { colour: preferred, isNeededInTabs: false };
  const measure = (ground: string) => measureVisibility(pixels, ground);
  // Some drawings follow the browser's colour scheme by themselves.
  const isAdaptive = mark.isVector && mark.source.includes('prefers-color-scheme');
  const isNeededInTabs = !isAdaptive && Math.min(measure('#ffffff'), measure('#000000')) < 0.5;
  const best = candidates.map((colour) => ({ colour, seen: measure(colour) })).toSorted((a, b) => b.seen - a.seen)[0]!;
  return { colour: measure(preferred) > 0.9 * best.seen ? preferred : best.colour, isNeededInTabs };
}

/**
 * @param mark an agency's own
 * @returns a sentence for the owner if the mark can't be shown well; otherwise undefined
 */
export async function explainMark(mark: Mark, agencyName: string, brand: Brand): Promise<string | undefined> {
  if (isTooWideForIcons(mark)) {
    const shape = mark.width > mark.height ? 'wide' : 'narrow';
    const isReplaced = (await makeIconMark(mark, agencyName, brand)) !== mark;
    const icons = isReplaced ? 'show the first letter of your name instead' : 'show it very small';
    return `Your mark is too ${shape} for a square. The icons in tabs and on phones ${icons}.`;
  }
  const pixels = await readPixels(mark);
  if (measureSide(pixels) < 0.5) {
    return 'Your mark fills only a small part of its picture, so icons show it very small. Crop the empty space around it.';
  }
  const { deep } = makeBrandColours(brand).brand;
  if (['#ffffff', '#000000', deep].every((ground) => measureVisibility(pixels, ground) < 0.3)) {
    return 'Your mark is too thin or too pale to be seen in a tab. Use thicker lines and stronger colours.';
  }
  if (measureVisibility(pixels, deep) >= 0.3) return undefined;
  return 'Your mark is hard to see on the header, which has your main colour. Use a lighter version of it.';
}

/** @returns the share of painted pixels that stand out from a background */
function measureVisibility(pixels: Pixel[], ground: string): number {
  const add = (sum: number, { alpha }: Pixel) => sum + alpha;
  const below = toRgb(ground);
  const isSeen = ({ alpha, colour }: Pixel) => {
    const mix = (channel: 'r' | 'g' | 'b') => alpha * colour[channel] + (1 - alpha) * below[channel];
    return wcagContrast({ mode: 'rgb', r: mix('r'), g: mix('g'), b: mix('b') }, ground) >= PART_CONTRAST;
  };
  const painted = pixels.filter(({ alpha }) => alpha > 0);
  return painted.filter(isSeen).reduce(add, 0) / painted.reduce(add, 0);
}

/** @returns the longer side of the painted area, as a share of the square's */
function measureSide(pixels: Pixel[]): number {
  const painted = [...pixels.keys()].filter((at) => pixels[at]!.alpha > 0.02);
  const extent = (places: number[]) => (Math.max(...places) - Math.min(...places) + 1) / SIDE;
  return Math.max(extent(painted.map((at) => at % SIDE)), extent(painted.map((at) => Math.floor(at / SIDE))));
}

/** In pixels: the largest size in a tab. */
const SIDE = 48;

const toRgb = converter('rgb') as (colour: string) => Pixel['colour'];

type Pixel = { alpha: number; colour: { mode: 'rgb'; r: number; g: number; b: number } };

/** @returns the pixels of the mark, scaled to a square */
async function readPixels({ source, isVector, width, height }: Mark): Promise<Pixel[]> {
  const density = isVector ? Math.min((72 * 4 * SIDE) / Math.max(width, height), MAX_DENSITY) : 72;
  const { data } = await sharp(source, { density, limitInputPixels: !isVector })
    .resize(SIDE, SIDE, { fit: 'contain', background: '#00000000' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: data.length / 4 }, (_, index) => {
    const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(4 * index, 4 * index + 4).map(Number);
    return { alpha: alpha / 255, colour: { mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 } };
  });
}

/** In dots per inch: the maximum that sharp accepts. */
export const MAX_DENSITY = 100_000;

/** @returns undefined if no font has the letter */
async function drawInitial(agencyName: string, brand: Brand): Promise<Mark | undefined> {
  const letter = /[\p{L}\p{N}]/u.exec(agencyName)?.[0].toUpperCase();
  const { files } = chooseShareFonts(brand, letter ?? '');
  const font = files.find(({ use }) => use === 'headings')?.font;
  if (letter === undefined || font === undefined) return undefined;
  const colours = resolveColours(makeBrandColours(brand), 'light');
  const renderer = new Renderer();
  await renderer.registerFont({ name: 'headings', data: font });
  // Bold, and as designed for small text: thin strokes would vanish in a tab.
  const face =
    'font-family: headings; font-size: 420px; line-height: 1.5; font-weight: 700; font-variation-settings: "opsz" 6';
  const css = [`.letter { ${face}; color: ${colours['on-deep']} }`];
  const drawn = await renderer.render(
    { type: 'text', className: 'letter', text: letter },
    { width: 640, height: 640, css },
  );
  const glyph = await sharp(drawn).trim().resize(300, 300, { fit: 'inside' }).toBuffer();
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><rect width="512" height="512" rx="128" fill="${colours.deep}"/></svg>`;
  return toMark(
    await sharp(Buffer.from(ground))
      .composite([{ input: glyph }])
      .png()
      .toBuffer(),
    false,
  );
}
