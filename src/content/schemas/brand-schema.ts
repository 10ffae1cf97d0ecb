import { z } from 'zod';

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, {
    error: 'expected a colour of six digits, such as "#0d3b38"',
    // Only a colour has a contrast to measure.
    abort: true,
  })
  .transform((value) => value.toLowerCase());

const fontsourceName = z.string().regex(/^[a-z0-9-]+$/, {
  error: 'expected a name as fontsource.org writes it, such as "source-serif-4"',
  // A name of another form must not become the path of a folder.
  abort: true,
});

/** A form offers the families that are installed. */
const FONT = { format: 'font', description: 'From the families that are installed.' };

/** Colours that are the same in light and dark, by the design's token. */
const brandColours = {
  deep: colour.meta({
    title: 'Main colour',
    description: 'Behind the first screen, the header and the contact section.',
  }),
  glow: colour.meta({
    title: 'Lighter shade of it',
    description: 'Where the main colour lightens. Left empty, made of the main colour.',
  }),
  sun: colour.meta({ title: 'Accent', description: 'Lit dots, and the button that books a call.' }),
  'sun-hover': colour.meta({
    title: 'Accent under the pointer',
    description: 'Left empty, made of the accent.',
  }),
  'on-sun': colour.meta({ title: 'Text on the accent' }),
  'on-deep': colour.meta({ title: 'Text on the main colour' }),
  'on-deep-soft': colour.meta({ title: 'Quieter text on the main colour' }),
};

/** Colours that change with the scheme that a visitor prefers. */
const pageColours = {
  paper: colour.meta({ title: 'Page' }),
  card: colour.meta({ title: 'Panels and fields', description: 'Their background, and that of the cookie banner.' }),
  mist: colour.meta({
    title: 'Focus section',
    description: 'Its background. Left empty, made of the main colour.',
  }),
  'sun-tint': colour.meta({
    title: 'Early sign-up',
    description: 'Its background. Left empty, made of the accent.',
  }),
  ink: colour.meta({ title: 'Text' }),
  soft: colour.meta({ title: 'Quieter text' }),
  hint: colour.meta({ title: 'Placeholders', description: 'In fields that are empty.' }),
  amber: colour.meta({ title: 'Accented text', description: 'Left empty, made of the accent.' }),
  error: colour.meta({ title: 'Error messages' }),
  line: colour.meta({ title: 'Thin lines', description: 'Between parts.' }),
  control: colour.meta({ title: 'Borders of fields', description: 'And of switches.' }),
  figure: colour.meta({
    title: 'Diagrams and strong lines',
    description: 'And the ring around what the keyboard is on.',
  }),
  action: colour.meta({ title: 'Other buttons', description: 'Those that don’t book a call.' }),
  'action-hover': colour.meta({
    title: 'Other buttons under the pointer',
  }),
  'on-action': colour.meta({ title: 'Text on other buttons' }),
  ground: colour.meta({ title: 'Footer', description: 'And messages that pop up.' }),
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
  brand: z.strictObject(brandColours).partial().default({}).meta({ title: 'Brand' }),
  light: z.strictObject(pageColours).partial().default({}).meta({ title: 'In light' }),
  dark: z.strictObject(pageColours).partial().default({}).meta({ title: 'In dark' }),
});

export type Brand = z.infer<typeof brandSchema>;
