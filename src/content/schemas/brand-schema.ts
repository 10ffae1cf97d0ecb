import { z } from 'zod';

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, {
    error: 'expected a colour of six digits, such as "#0d3b38"',
    // Only valid colours have a contrast to measure.
    abort: true,
  })
  .transform((value) => value.toLowerCase());

const fontsourceName = z.string().regex(/^[a-z0-9-]+$/, {
  error: 'expected a name as fontsource.org writes it, such as "source-serif-4"',
  // A name of another form must not become the path of a folder.
  abort: true,
});

/** A form offers the families that are installed. */
const FONT = { format: 'font', description: 'One of the installed families.' };

/** The brand's two colours; the build derives every other one from them. */
const brandColours = {
  deep: colour.meta({
    title: 'Main colour',
    description: 'Behind the first screen, the header and the contact section.',
  }),
  sun: colour.meta({ title: 'Accent', description: 'Highlighted dots, and the button that books a call.' }),
};

/** `content/brand.yaml`: what is left out keeps the design's own value, which is in src/shared/design-tokens.ts. */
export const brandSchema = z.strictObject({
  fonts: z
    .strictObject({
      headings: fontsourceName.default('newsreader').meta(FONT),
      text: fontsourceName.default('figtree').meta(FONT),
    })
    .prefault({}),
  nameBesideMark: z
    .boolean('expected true or false')
    .default(true)
    .meta({ title: 'Name beside the mark', description: 'Not needed if a wide mark spells it.' }),
  portrait: z
    .enum(['two-tone', 'natural'], 'expected "two-tone" or "natural"')
    .default('two-tone')
    .meta({ title: 'Photograph', description: 'In the two tones of the page, or as it is.' }),
  brand: z.strictObject(brandColours).partial().default({}).meta({ title: 'Your colours' }),
});

export type Brand = z.infer<typeof brandSchema>;
