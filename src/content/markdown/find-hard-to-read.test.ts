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
  ['a picture from a camera', '![IMG_2034.HEIC](/img-2034.jpg)', '5 the picture “IMG_2034.HEIC” is described by'],
  ['a long paragraph', `One\n\n${'Words and more. '.repeat(94)}`, '7 this paragraph has 1,503 characters and no break'],
])('warns about %s', (_, text, expected) => {
  expect(find(text)).toEqual([expect.stringContaining(expected)]);
});

test.each([
  '[What AEs earned](https://a.example)',
  'https://a.example/here',
  '![A chart of pay by region](/pay.png)',
  'Words and more. '.repeat(30),
  `${'Words and more. '.repeat(50)}\n${'Words and more. '.repeat(50)}`,
])('doesn’t warn about %j', (text) => {
  expect(find(text)).toEqual([]);
});
