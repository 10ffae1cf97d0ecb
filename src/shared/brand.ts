import { z } from 'zod';

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, {
    error: 'expected a colour of six digits in quotes, such as "#0d3b38"',
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
    description: 'Background of the hero, the header and the contact section',
  }),
  glow: colour.meta({
    title: 'Lighter shade of it',
    description: 'Lighter shade within deep; derived from deep when left out',
  }),
  sun: colour.meta({ title: 'Accent', description: 'Accent: lit dots, and the button Book a Call' }),
  'sun-hover': colour.meta({
    title: 'Accent under the pointer',
    description: 'That button under the pointer; derived from sun when left out',
  }),
  'on-sun': colour.meta({ title: 'Text on the accent', description: 'Text on sun' }),
  'on-deep': colour.meta({ title: 'Text on the main colour', description: 'Text on deep' }),
  'on-deep-soft': colour.meta({ title: 'Quieter text on the main colour', description: 'Secondary text on deep' }),
};

/** Colours that change with the scheme that a visitor prefers. */
const pageColours = {
  paper: colour.meta({ title: 'Page', description: 'Background of the page' }),
  card: colour.meta({ title: 'Panels and fields', description: 'Background of panels, fields and the cookie banner' }),
  mist: colour.meta({
    title: 'Focus section',
    description: 'Background of the focus section; derived from deep when left out',
  }),
  'sun-tint': colour.meta({
    title: 'Early sign-up',
    description: 'Background of the early sign-up; derived from sun when left out',
  }),
  ink: colour.meta({ title: 'Text', description: 'Text' }),
  soft: colour.meta({ title: 'Quieter text', description: 'Secondary text' }),
  hint: colour.meta({ title: 'Placeholders', description: 'Placeholders, on card only' }),
  amber: colour.meta({ title: 'Accented text', description: 'Accented text; derived from sun when left out' }),
  error: colour.meta({ title: 'Error messages', description: 'Error messages' }),
  line: colour.meta({ title: 'Thin lines', description: 'Thin lines between parts' }),
  control: colour.meta({ title: 'Borders of fields', description: 'Borders of fields and switches' }),
  figure: colour.meta({
    title: 'Diagrams and strong lines',
    description: 'Diagrams, the stronger lines and the focus ring',
  }),
  action: colour.meta({ title: 'Other buttons', description: 'Background of buttons other than Book a Call' }),
  'action-hover': colour.meta({
    title: 'Other buttons under the pointer',
    description: 'Those buttons under the pointer',
  }),
  'on-action': colour.meta({ title: 'Text on other buttons', description: 'Text on action' }),
  ground: colour.meta({ title: 'Footer', description: 'Background of the footer and of messages' }),
};

/** `content/brand.yaml`: what is left out keeps the design's own value, which is in src/shared/tokens.ts. */
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
