import { expect, test } from 'vitest';
import { readMailTokens } from './mail-tokens.ts';

test('a token that mails use and the design lacks is named', () => {
  expect(() => readMailTokens(':root { --paper: #fff; }')).toThrow('tokens.css: --card is missing; mails use it');
});
