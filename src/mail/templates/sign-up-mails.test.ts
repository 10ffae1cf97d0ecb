import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMailTokens } from './mail-tokens.ts';

test('mails have the colours of the two schemes, whatever pages show to those who choose their own colours', () => {
  const css = readFileSync(new URL('../../shared/tokens.css', import.meta.url), 'utf8');
  const forced = '@media (forced-colors: active) { svg, ::before { --deep: Canvas; --sun: CanvasText; } }';
  const { light, dark } = readMailTokens(css.replace('@layer base {', `@layer base {\n${forced}`) + forced);
  expect(light.deep).toMatch(/^#\w{6}$/);
  expect(light.sun).toMatch(/^#\w{6}$/);
  for (const colour of Object.values({ ...light, ...dark })) expect(colour).toMatch(/^#/);
  expect(dark.paper).not.toBe(light.paper);
});

test('a token that mails use and the design lacks is named', () => {
  expect(() => readMailTokens(':root { --paper: #fff; }')).toThrow('tokens.css: --card is missing; mails use it');
});
