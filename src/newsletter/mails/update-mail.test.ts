import { expect, test } from 'vitest';
import { parseUpdate } from '#content/markdown/parse-update.ts';
import { content } from '../../../test/test-content.ts';
import { renderUpdateMail } from './update-mail.tsx';

test('the text part of an update names its pictures and their URLs', () => {
  const source = '---\nsubject: Pay\npreview: What it was\n---\n\nBefore\n\n![Pay by region](/chart.png)\n\nAfter\n';
  const { update } = parseUpdate(source, { fill: (text) => text, isPublicFile: () => true });
  const { text } = renderUpdateMail(update!, content.agency, new Map());
  expect(text).toMatch(/Before\n\nPay by region https:\/\/\S+\/chart\.png\n\nAfter/);
});
