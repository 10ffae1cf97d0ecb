/** Tests belong to the software: they show no word of the owner's content/. */
import { makeLook } from '#content/look.ts';
import { PORTRAIT_SIZE } from '#content/pictures.ts';
import { setSiteContent } from '#content/site-content.ts';
import { content } from './test-content.ts';

// Pictures and styles are made by builds alone.
setSiteContent({
  ...content,
  brand: makeLook(content.brand),
  portrait: { src: '/assets/portrait.jpg', sources: [], ...PORTRAIT_SIZE },
  styles: { fonts: '', tokens: '' },
});
