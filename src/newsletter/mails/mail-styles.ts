import type { CSSProperties } from 'react';
import type { Look } from '#content/site-content.ts';
import type { ColourToken } from '#shared/design-tokens.ts';

export const PARAGRAPH = { margin: '0 0 16px' };

/** Makes the styles that the parts of an email share; email programs need them on each element. */
export function makeMailStyles(brand: Look) {
  return {
    heading: { margin: '16px 0 12px', font: `500 30px/1.15 ${brand.serif}`, letterSpacing: '-0.02em' },
    subheading: { margin: '28px 0 8px', font: `500 22px/1.25 ${brand.serif}`, letterSpacing: '-0.01em' },
    paragraph: PARAGRAPH,
    list: { margin: '0 0 16px 24px', padding: 0 },
    listItem: { margin: '0 0 8px' },
    quote: { margin: '0 0 16px' },
    quoteCell: { padding: '0 0 0 16px', borderLeft: `3px solid ${brand.light.sun}` },
    rule: { margin: '28px 0', border: 'none', borderTop: `1px solid ${brand.light.line}` },
    image: { display: 'block', maxWidth: '100%', height: 'auto', margin: '0 0 16px', borderRadius: '12px' },
    link: { color: brand.light.amber, textDecoration: 'underline' },
    // Tall enough for a finger.
    button: {
      display: 'inline-block',
      lineHeight: '44px',
      color: brand.light['on-sun'],
      fontWeight: 600,
      textDecoration: 'none',
    },
    // The accent may be as light as the card.
    buttonCell: {
      padding: '0 28px',
      border: `1px solid ${brand.light.line}`,
      borderRadius: '999px',
      backgroundColor: brand.light.sun,
    },
  } satisfies Record<string, CSSProperties>;
}

/** In CSS pixels. */
export const CARD_WIDTH = 600;

/** In CSS pixels: the card without the space at its sides. */
export const COLUMN_WIDTH = CARD_WIDTH - 2 * 32;

export function makePaper(brand: Look): CSSProperties {
  return { backgroundColor: brand.light.paper, color: brand.light.ink, font: `17px/1.6 ${brand.sans}` };
}

export function makeCard(brand: Look): CSSProperties {
  return {
    backgroundColor: brand.light.card,
    border: `1px solid ${brand.light.line}`,
    borderRadius: '20px',
    // A table's default would make the corners square.
    borderCollapse: 'separate',
    overflow: 'hidden',
  };
}

export function makeBand(brand: Look): CSSProperties {
  return {
    backgroundColor: brand.light.deep,
    color: brand.light['on-deep'],
    padding: '20px 32px',
    font: `500 20px/1.2 ${brand.serif}`,
  };
}

export function makeSmallPrint(brand: Look): CSSProperties {
  return { margin: '0 0 12px', fontSize: '14px', color: brand.light.soft };
}

/** The classes with different colours in dark mode. */
const DARK: Record<string, Partial<Record<'background-color' | 'color' | 'border-color', ColourToken>>> = {
  '.paper': { 'background-color': 'paper', color: 'ink' },
  '.card': { 'background-color': 'card', 'border-color': 'line' },
  '.soft': { color: 'soft' },
  '.link': { color: 'amber' },
  hr: { 'border-color': 'line' },
};

/**
 * Makes text that an email program treats as an address, a number or a date look like the text around it, in Gmail, in
 * Samsung's email program, and on an iPhone. Our own links have inline styles. Gmail drops a style sheet with an
 * attribute selector.
 */
export const PLAIN_TEXT_RULES = [
  'u + .paper a, #MessageViewBody a { color: inherit; text-decoration: none; } .aBn { border-bottom: 0 !important; }',
  'a[x-apple-data-detectors] { color: inherit !important; font: inherit !important; text-decoration: none !important; }',
];

export function writeStyles(brand: Look): string {
  return `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .inset { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
${Object.entries(DARK)
  .map(([selector, colours]) => {
    const rules = Object.entries(colours).map(([property, colour]) => `${property}: ${brand.dark[colour]} !important;`);
    return `${selector} { ${rules.join(' ')} }`;
  })
  .join('\n')}
}`;
}
