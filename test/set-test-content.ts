/** Tests use content of their own, since the owner changes content/. */
import { makeLook } from '#content/brand/look.ts';
import { PORTRAIT_SIZE } from '#content/pictures/picture-files.ts';
import { setSiteContent } from '#content/site-content.ts';
import { content } from './test-content.ts';

// Only a build makes pictures and styles.
setSiteContent({
  ...content,
  brand: makeLook(content.brand),
  portrait: { src: '/assets/portrait.jpg', sources: [], ...PORTRAIT_SIZE },
  styles: { fonts: '', tokens: '' },
});
