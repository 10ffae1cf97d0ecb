/** The banner's question of today, for the loader: constants, so that a site without tags ships nothing for them. */
declare module 'virtual:consent-question' {
  export const VERSION: string;
  export const HAS_TAGS: boolean;
}

/** The site's optional tags, and the address behind every "book a call". */
declare module 'virtual:consent-tags' {
  export const tags: import('#shared/agency-schema.ts').Tag[];
  export const calendar: string;
}
