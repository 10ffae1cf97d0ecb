declare module 'virtual:content' {
  type Content = import('./content-schema.ts').Content;

  export const agency: Content['agency'];
  export const home: Content['home'];
  export const faq: Content['faq'];
  export const mail: Content['mail'];
  export const pages: Content['pages'];
  export const privacyPolicy: Content['privacyPolicy'];
}

declare module 'virtual:fonts.css';

declare module 'subset-font' {
  /** Cuts a font down to the characters of a text; axes can be pinned to a value or narrowed to a range. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2';
      variationAxes?: Record<string, number | { min: number; max: number }>;
    },
  ): Promise<Uint8Array>;
}
