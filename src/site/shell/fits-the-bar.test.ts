import { expect, test } from 'vitest';
import { fitsTheBar } from './fits-the-bar.ts';

const LABELS = { call: 'Book a Call', menu: 'Menu' };

// Measured in Chromium at 360 pixels, in Newsreader and in Source Serif 4.
test.each([
  [24, 'Larkfield', true],
  [24, 'Quill & Harbour', true],
  [40, 'Müller & Åse', true],
  [40, 'Caledon Search', true],
  [40, 'Northgateing', false],
  [60, 'Müller & Åse', false],
  [80, 'Müller & Åse', false],
  [80, 'Caledon Search', false],
  [120, 'Åse', false],
  [24, 'Quill and Harbour and Sons', false],
])('beside a mark of %i pixels the name %s fits: %s', (markWidth, name, fits) => {
  expect(fitsTheBar({ markWidth, name, ...LABELS })).toBe(fits);
});

test('a mark that spells the name may be wider', () => {
  expect(fitsTheBar({ markWidth: 100, ...LABELS })).toBe(true);
  expect(fitsTheBar({ markWidth: 200, ...LABELS })).toBe(false);
});

test('longer labels leave less room', () => {
  const labels = { call: 'Gespräch vereinbaren', menu: 'Navigation' };
  expect(fitsTheBar({ markWidth: 24, name: 'Larkfield', ...labels })).toBe(false);
});
