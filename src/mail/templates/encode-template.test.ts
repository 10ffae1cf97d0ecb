import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { encodeTemplate } from './encode-template.ts';
import { fillTemplate } from './mail-template.ts';

const template = {
  subject: 'Pay',
  html: `<p>Größe = 1 €</p>\n<a href="https://unsubscribe.invalid/">Leave</a>${'word '.repeat(60)} \n<img src="https://site.invalid/a.png"><a href="https://confirm.invalid/">Yes</a>`,
  text: `Pay. \n.\nhttps://unsubscribe.invalid/\n${'x'.repeat(200)}\nhttps://site.invalid/a https://site.invalid/b\n`,
};
const links = {
  unsubscribe: `https://www.larkfield.example/newsletter/unsubscribe/${'0'.repeat(36)}.${'a_-'.repeat(10)}`,
  confirm: 'https://www.larkfield.example/newsletter/confirm/token?a=b',
  site: 'https://www.larkfield.example',
};

test('a reader finds in the encoded parts what the template says, with their own links', async () => {
  const parts = encodeTemplate(template).partsFor(links);
  const read = await PostalMime.parse(
    ['Content-Type: multipart/alternative; boundary=B', '', ...parts.flatMap((part) => ['--B', part]), '--B--'].join(
      '\r\n',
    ),
  );
  const filled = fillTemplate(template, links);
  expect(read.html?.trim()).toBe(filled.html);
  expect(read.text?.trim()).toBe(filled.text.trim());
});

test.each([70, 74, 75, 76, 77])('no line is longer than mail allows, with a link after %i letters', (letters) => {
  const text = `${template.text}${'x'.repeat(letters)}https://unsubscribe.invalid/\n`;
  for (const part of encodeTemplate({ ...template, text }).partsFor(links)) {
    for (const line of part.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
  }
});
