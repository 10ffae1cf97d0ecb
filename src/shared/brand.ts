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

/** Colours that are the same in light and dark, by the design's token. */
const brandColours = {
  deep: colour.describe('Background of the hero, the header and the contact section'),
  glow: colour.describe('Lighter shade within deep; derived from deep when left out'),
  sun: colour.describe('Accent: lit dots, and the button Book a Call'),
  'sun-hover': colour.describe('That button under the pointer; derived from sun when left out'),
  'on-sun': colour.describe('Text on sun'),
  'on-deep': colour.describe('Text on deep'),
  'on-deep-soft': colour.describe('Secondary text on deep'),
};

/** Colours that change with the scheme that a visitor prefers. */
const pageColours = {
  paper: colour.describe('Background of the page'),
  card: colour.describe('Background of panels, fields and the cookie banner'),
  mist: colour.describe('Background of the focus section; derived from deep when left out'),
  'sun-tint': colour.describe('Background of the early sign-up; derived from sun when left out'),
  ink: colour.describe('Text'),
  soft: colour.describe('Secondary text'),
  hint: colour.describe('Placeholders, on card only'),
  amber: colour.describe('Accented text; derived from sun when left out'),
  error: colour.describe('Error messages'),
  line: colour.describe('Thin lines between parts'),
  control: colour.describe('Borders of fields and switches'),
  figure: colour.describe('Diagrams, the stronger lines and the focus ring'),
  action: colour.describe('Background of buttons other than Book a Call'),
  'action-hover': colour.describe('Those buttons under the pointer'),
  'on-action': colour.describe('Text on action'),
  ground: colour.describe('Background of the footer and of messages'),
};

/** `content/brand.yaml`: what is left out keeps the design's own value, which is in src/shared/tokens.ts. */
export const brandSchema = z.strictObject({
  fonts: z
    .strictObject({ headings: fontsourceName.default('newsreader'), text: fontsourceName.default('figtree') })
    .prefault({}),
  nameBesideMark: z.boolean('expected true or false').default(true),
  portrait: z
    .enum(['two-tone', 'natural'], 'expected "two-tone" or "natural"')
    .default('two-tone')
    .describe('Shows a photograph in the two tones of the page, or as it is'),
  brand: z.strictObject(brandColours).partial().default({}),
  light: z.strictObject(pageColours).partial().default({}),
  dark: z.strictObject(pageColours).partial().default({}),
});

export type Brand = z.infer<typeof brandSchema>;
