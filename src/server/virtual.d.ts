declare module 'virtual:content' {
  type Content = import('#shared/content-schema.ts').Content;

  export const agency: Content['agency'];
  export const home: Content['home'];
  export const faq: Content['faq'];
  export const consent: Content['consent'];
  export const mail: Content['mail'];
  export const pages: Content['pages'];
  export const privacyPolicy: Content['privacyPolicy'];
  export const markdownPages: Content['markdownPages'];
}

/** The founder's photograph in several sizes and formats, or the drawing in its place. */
declare module 'virtual:portrait' {
  export const portrait: { src: string; sources: { type: string; srcSet: string }[]; width: number; height: number };
}

/** The agency's own mark as the header shows it; without one, the design's. */
declare module 'virtual:mark' {
  export const mark: { src: string; width: number; height: number } | undefined;
}

/** The colours of the site in both schemes and its families, for mails and for a browser's own frame. */
declare module 'virtual:brand' {
  type Palette = Record<import('#shared/tokens.ts').ColourToken, string>;

  type Look = Pick<import('#shared/brand.ts').Brand, 'nameBesideMark' | 'portrait'>;

  export const brand: Look & { light: Palette; dark: Palette; serif: string; sans: string };
}

/** The styles of a page's component and of everything that it imports. */
declare module '*?styles' {
  const styles: import('#site/page.ts').PageStyles;
  export default styles;
}

declare module 'virtual:fonts.css';
declare module 'virtual:tokens.css';

declare module '#site/*.css';

/** A file as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}
/** Styles as text, for the owner's desk, which serves its own. */
declare module '*?inline' {
  const text: string;
  export default text;
}
