declare module 'virtual:content' {
  type Content = import('#shared/content-schema.ts').Content;

  export const agency: Content['agency'];
  export const home: Content['home'];
  export const faq: Content['faq'];
  export const consent: Content['consent'];
  export const mail: Content['mail'];
  export const pages: Content['pages'];
  export const privacyPolicy: Content['privacyPolicy'];
}

/** The founder's photograph in several sizes and formats, or the drawing that stands in for it. */
declare module 'virtual:portrait' {
  export const portrait: { src: string; sources: { type: string; srcSet: string }[]; width: number; height: number };
}

declare module 'virtual:fonts.css';
declare module '#site/styles/*.css';

/** A file as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}
