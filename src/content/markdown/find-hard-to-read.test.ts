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

test.each(
  'Apply here|sign up here|Right here!|by clicking here|learn more here|at this link|this article|check it out|watch now|view online|Open|full story|→|>>'.split(
    '|',
  ),
)('warns about a link called %s', (words) => {
  expect(find(`[${words}](https://a.example)`)).toEqual([expect.stringContaining('does not say where it leads')]);
});

test.each([
  '20261128_101010',
  'P1010001',
  'GOPR0012',
  'Scan_0001',
  'Slide1',
  'Capture',
  'Copy of IMG_1234 (1)',
  'Bildschirmfoto 2026-11-28 um 10.00.00',
  '6F9619FF-8B86-D011-B42D-00C04FC964FF',
])('warns about a picture called %s', (name) => {
  expect(find(`![${name}](/chart-1.png)`)).toEqual([expect.stringContaining('is described by its file’s name')]);
});

test.each([
  '[What AEs earned](https://a.example)',
  'https://a.example/here',
  '![A chart of pay by region](/pay.png)',
  '[Download our salary report](https://a.example)',
  '![Image of our new office](/office.png)',
  '![Pay in Q3 2026](/chart-1.png)',
  '[How we work here](https://a.example)',
  '[Open roles](https://a.example)',
  '[This month’s pay report](https://a.example)',
  'Words and more. '.repeat(30),
  `${'Words and more. '.repeat(50)}\n${'Words and more. '.repeat(50)}`,
])('doesn’t warn about %j', (text) => {
  expect(find(text)).toEqual([]);
});
