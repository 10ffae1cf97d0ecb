import { expect, test } from 'vitest';
import { findHardToRead } from './find-hard-to-read.ts';
import { parseMarkdown } from './markdown.ts';

const find = (text: string) => findHardToRead(parseMarkdown(text, 5)).map(({ line, message }) => `${line} ${message}`);

test.each([
  ['a link called here', 'One\n\nRead it [here](https://a.example).', '7 the link “here” does not say'],
  ['a link called Click here!', '[**Click here!**](https://a.example)', '5 the link “Click here!” does not say'],
  [
    'a picture with its file’s name',
    '![Team photo 2](/team-photo-2.jpg)',
    '5 the picture “Team photo 2” is described by',
  ],
  ['a link called Read on', '[Read on…](https://a.example)', '5 the link “Read on…” does not say'],
  ['a link called Follow this link', '[Follow this link](https://a.example)', '5 the link “Follow this link”'],
  ['a screenshot', '![Screenshot 2026-11-28 at 10.00.00](/chart-1.png)', '5 the picture “Screenshot 2026-11-28'],
  ['a picture from a chat', '![WhatsApp Image 2026-11-28 at 10.00](/chart-1.png)', '5 the picture “WhatsApp Image'],
  ['a picture called Untitled', '![Untitled](/chart-1.png)', '5 the picture “Untitled”'],
  ['a picture from a camera', '![IMG_2034.HEIC](/img-2034.jpg)', '5 the picture “IMG_2034.HEIC” is described by'],
  ['a long paragraph', `One\n\n${'Words and more. '.repeat(94)}`, '7 this paragraph has 1,503 characters and no break'],
])('warns about %s', (_, text, expected) => {
  expect(find(text)).toEqual([expect.stringContaining(expected)]);
});

test.each([
  '[What AEs earned](https://a.example)',
  'https://a.example/here',
  '![A chart of pay by region](/pay.png)',
  '[Download our salary report](https://a.example)',
  '![Image of our new office](/office.png)',
  'Words and more. '.repeat(30),
  `${'Words and more. '.repeat(50)}\n${'Words and more. '.repeat(50)}`,
])('doesn’t warn about %j', (text) => {
  expect(find(text)).toEqual([]);
});
