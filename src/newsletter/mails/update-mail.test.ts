import { expect, test } from 'vitest';
import { parseUpdate } from '#content/markdown/parse-update.ts';
import { content } from '../../../test/test-content.ts';
import { renderUpdateMail } from './update-mail.tsx';

const PICTURE = '![Pay by region](/chart.png)';

test.each([
  ['replaces a picture with its description', PICTURE, 'Pay by region'],
  [
    'gives a linked picture its URL',
    `[${PICTURE}](https://a.example/report)`,
    'Pay by region https://a.example/report',
  ],
  ['gives a link its URL', '[our report](https://a.example/report)', 'our report https://a.example/report'],
  [
    'writes an address once',
    'https://a.example, www.a.example, b@a.example',
    'https://a.example, www.a.example, b@a.example',
  ],
  ['gives a name its address', '[Anna](mailto:b@a.example?subject=Hi)', 'Anna b@a.example'],
  ['keeps line breaks', 'Larkfield Ltd\n1 High Street', 'Larkfield Ltd\n1 High Street'],
  ['writes a list with bullets', '•\tOne\n•\tTwo', ' * One\n * Two'],
])('the text part of an update %s', (_, body, expected) => {
  const source = `---\nsubject: Pay\npreview: What it was\n---\n\nBefore\n\n${body}\n\nAfter\n`;
  const { update } = parseUpdate(source, { fill: (text) => text, isPublicFile: () => true });
  const { text } = renderUpdateMail(update!, content, new Map());
  expect(text).toContain(`Before\n\n${expected}\n\nAfter`);
});
