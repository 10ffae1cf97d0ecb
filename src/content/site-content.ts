import type { Brand } from '#shared/brand.ts';
import type { Content } from '#shared/content-schema.ts';
import type { ColourToken } from '#shared/tokens.ts';

type Palette = Record<ColourToken, string>;

/** The colours of the site in both schemes and its families, for mails and for a browser's own frame. */
export type Look = Pick<Brand, 'nameBesideMark' | 'portrait'> & {
  light: Palette;
  dark: Palette;
  serif: string;
  sans: string;
};

/** The founder's photograph in several sizes and formats, or the drawing in its place. */
export type Portrait = { src: string; sources: { type: string; srcSet: string }[]; width: number; height: number };

/** The agency's own mark as the header shows it. */
export type HeaderMark = { src: string; width: number; height: number };

/** What the content stage makes of content/, and every program reads at its start. */
export type SiteContent = Omit<Content, 'brand'> & {
  brand: Look;
  portrait: Portrait;
  /** Absent if the agency has no mark of its own: the design's is shown. */
  mark?: HeaderMark;
  /** The fonts and the tokens as CSS: pages carry both, and so does the desk. */
  styles: { fonts: string; tokens: string };
};

export let agency: SiteContent['agency'];
export let brand: SiteContent['brand'];
export let home: SiteContent['home'];
export let faq: SiteContent['faq'];
export let consent: SiteContent['consent'];
export let mail: SiteContent['mail'];
export let pages: SiteContent['pages'];
export let privacyPolicy: SiteContent['privacyPolicy'];
export let markdownPages: SiteContent['markdownPages'];
export let portrait: SiteContent['portrait'];
export let mark: SiteContent['mark'];
export let styles: SiteContent['styles'];

/**
 * Sets the words and the look that everything in this process shows: at its start, and again when another site goes
 * live. Read the values above inside functions, or they stay what they were when a module was loaded.
 */
export function setSiteContent(content: SiteContent): void {
  ({ agency, brand, home, faq, consent, mail, pages, privacyPolicy, markdownPages, portrait, mark, styles } = content);
}
