import type { ColourToken } from '#shared/design-tokens.ts';

/** The minimum contrast of text, and of the parts of a control (WCAG 2.2, criteria 1.4.3 and 1.4.11). */
export const TEXT_CONTRAST = 4.5;
export const PART_CONTRAST = 3;

/** The colour pairs that the design uses, with the minimum contrast of each. */
export const CONTRAST_PAIRS: { on: ColourToken[]; tokens: ColourToken[]; min: number }[] = [
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['ink', 'soft', 'error'], min: TEXT_CONTRAST },
  { on: ['paper', 'card', 'mist'], tokens: ['amber'], min: TEXT_CONTRAST },
  { on: ['card'], tokens: ['hint'], min: TEXT_CONTRAST },
  { on: ['paper', 'card', 'mist', 'sun-tint'], tokens: ['control', 'figure', 'focus', 'action'], min: PART_CONTRAST },
  { on: ['action', 'action-hover'], tokens: ['on-action'], min: TEXT_CONTRAST },
  { on: ['sun', 'sun-hover'], tokens: ['on-sun'], min: TEXT_CONTRAST },
  { on: ['deep', 'glow', 'ground'], tokens: ['on-deep', 'on-deep-soft', 'sun'], min: TEXT_CONTRAST },
];
