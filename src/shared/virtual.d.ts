declare module 'virtual:content' {
  type Content = import('./content-schema.ts').Content;

  export const agency: Content['agency'];
  export const home: Content['home'];
  export const faq: Content['faq'];
  export const consent: Content['consent'];
  export const mail: Content['mail'];
  export const pages: Content['pages'];
  export const privacyPolicy: Content['privacyPolicy'];
}

/** What the banner asks today, for the loader: constants, so that a site without tags ships nothing for them. */
declare module 'virtual:consent-question' {
  export const VERSION: string;
  export const HAS_TAGS: boolean;
}

/** The words that the banner shows. */
declare module 'virtual:consent-words' {
  export const words: import('./content-schema.ts').BannerWords;
}

/** The site's optional tags, and the address behind every "book a call". */
declare module 'virtual:consent-tags' {
  export const tags: import('./content-schema.ts').Tag[];
  export const calendar: string;
}

/** The founder's photograph in several sizes and formats, or the drawing that stands in for it. */
declare module 'virtual:portrait' {
  export const portrait: { src: string; sources: { type: string; srcSet: string }[]; width: number; height: number };
}

declare module 'virtual:fonts.css';

declare module 'subset-font' {
  /** Cuts a font down to the characters of a text; axes can be pinned to a value or narrowed to a range. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2' | 'sfnt';
      variationAxes?: Record<string, number | { min: number; max: number }>;
    },
  ): Promise<Uint8Array>;
}
