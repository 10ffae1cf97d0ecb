declare module 'virtual:content' {
  import type { Content } from './content-schema.ts';

  export const agency: Content['agency'];
  export const home: Content['home'];
  export const faq: Content['faq'];
  export const privacyPolicy: Content['privacyPolicy'];
}
