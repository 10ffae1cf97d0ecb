import type { Brand } from './schemas/brand-schema.ts';
import type { Content } from './schemas/content-schema.ts';
import type { ColourToken } from '#shared/design-tokens.ts';

type Palette = Record<ColourToken, string>;

/** The site's colours in both schemes and its font families, for emails and the browser's toolbar. */
export type Look = Pick<Brand, 'nameBesideMark' | 'portrait'> & {
  light: Palette;
  dark: Palette;
  serif: string;
  sans: string;
};

/** The founder's photograph, or the drawing in its place, in several sizes and formats. */
export type Portrait = { src: string; sources: { type: string; srcSet: string }[]; width: number; height: number };

/** The agency's own mark for the header. */
export type HeaderMark = { src: string; width: number; height: number };

/** The output of the content stage, which programs read when they start. */
export type SiteContent = Omit<Content, 'brand'> & {
  brand: Look;
  portrait: Portrait;
  /** Absent if the agency has no mark: the default mark is shown. */
  mark?: HeaderMark | undefined;
  /** The fonts and the tokens as CSS, which pages and the desk contain. */
  styles: { fonts: string; tokens: string };
};
