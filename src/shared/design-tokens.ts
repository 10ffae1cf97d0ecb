/** Colours that are the same in light and dark. */
const brand = {
  deep: '#0d3b38',
  glow: '#14504a',
  sun: '#f6b24a',
  'sun-hover': '#ffc468',
  'on-sun': '#13262b',
  'on-deep': '#f3f1ea',
  'on-deep-soft': '#c9d5d0',
  'line-on-deep': '#ffffff38',
  focus: 'figure',
};

const light = {
  paper: '#faf7f1',
  card: '#fffdf9',
  mist: '#e9efe9',
  'sun-tint': '#fbe7c6',
  ink: '#13262b',
  soft: '#4d5f61',
  // Only on card.
  hint: '#66787a',
  // Never on sun-tint.
  amber: '#9f5b15',
  error: '#a32a1e',
  line: '#d5d8d2',
  control: '#728280',
  figure: 'deep',
  action: 'deep',
  'action-hover': 'glow',
  'on-action': 'on-deep',
  ground: '#13262b',
  shadow: '#13262b33',
};

const dark: Record<keyof typeof light, string> = {
  paper: '#0f1c1e',
  card: '#1d3033',
  mist: '#142426',
  'sun-tint': '#2e2819',
  ink: '#f1ede3',
  soft: '#b4c1be',
  hint: '#92a3a1',
  amber: '#f0b763',
  error: '#ffaba1',
  line: '#385053',
  control: '#7f9491',
  figure: '#cfdcd5',
  action: '#e6ece5',
  'action-hover': '#ffffff',
  'on-action': '#13262b',
  ground: '#091214',
  shadow: '#00000080',
};

/** For visitors whose system asks for more contrast, in both schemes. */
export const MORE_CONTRAST = {
  soft: 'ink',
  hint: 'ink',
  control: 'ink',
  line: 'control',
  glow: 'deep',
  'on-deep-soft': 'on-deep',
  'line-on-deep': 'on-deep',
} satisfies Partial<Record<ColourToken, ColourToken>>;

/** The design's default colours; each is a colour or the name of another token. */
export const DESIGN_COLOURS = { brand, light, dark };

export type ColourToken = keyof typeof brand | keyof typeof light;

/** A site's colours: the default ones or an agency's own. */
export type ColourTokens = {
  brand: Record<keyof typeof brand, string>;
  light: Record<keyof typeof light, string>;
  dark: Record<keyof typeof light, string>;
};

/** The weight of heading fonts; browsers would synthesise any other. */
export const HEADING_WEIGHT = 420;

/** Type sizes, smallest first. */
export const TYPE_SCALE = {
  'text-tiny': '0.875rem',
  'text-small': '0.9375rem',
  text: '1.0625rem',
  'text-lead': '1.1875rem',
  'title-tiny': '1.3125rem',
  'title-small': '1.5rem',
  title: 'clamp(1.5rem, 2.4vw, 1.875rem)',
  'title-large': 'clamp(1.875rem, 2.9vw, 2.5rem)',
  heading: 'clamp(2rem, 3.6vw, 3rem)',
  'heading-large': 'clamp(2.5rem, 5.2vw, 4.25rem)',
  headline: 'clamp(2.75rem, 6.2vw, 5.1rem)',
};

/** Lengths that are the same for every agency. */
export const MEASURES = {
  content: 'min(1160px, 100% - 48px)',
  section: 'clamp(4rem, 8vw, 7rem)',
  // Between a heading and its content.
  space: 'clamp(1.75rem, 3.6vw, 3rem)',
  // Within a card; in pixels, so that larger text doesn't take width from a small screen.
  inset: 'clamp(24px, 3vw, 40px)',
  // Two columns: a heading or picture, and its content.
  split: 'minmax(0, 424fr) minmax(0, 660fr)',
  'split-gap': 'clamp(2.5rem, 5.3vw, 4.75rem)',
  // The field of dots next to text.
  art: 'clamp(560px, 58vw - 16px, 1320px)',
  bar: '4.5rem',
  // The height that a toast may cover at the top of the window.
  toast: 'min(11.5rem, 45dvh)',
  radius: '28px',
  'radius-small': '12px',
  // Easing for animations that slow down at the end.
  settle: 'cubic-bezier(0.2, 0.7, 0.1, 1)',
};
