import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { parseUpdate } from '#content/markdown/parse-update.ts';
import { content } from '../../../test/test-content.ts';
import { renderSignUpMails } from './sign-up-mails.tsx';
import { renderUpdateMail } from './update-mail.tsx';

const TEXT = `---
subject: Pay
preview: What it was
---

# One

## Two with **bold** and [a link](https://a.example)

### Three

> A quote,
> of two lines.

1. first
2. second

- an entry

---

![Pay by region](/chart.png)

![A small mark](/mark.png)
`;
const { update } = parseUpdate(TEXT, { fill: (text) => text, isPublicFile: () => true });
const SIZES = new Map([
  ['/chart.png', { width: 1200, height: 900 }],
  ['/mark.png', { width: 100, height: 50 }],
]);
const mails = {
  ...renderSignUpMails(content),
  update: renderUpdateMail(update!, content, SIZES),
};

/** Each function returns the tags that break its rule. The sources are at https://www.caniemail.com/features/. */
const RULES: Record<string, (html: string) => string[]> = {
  'boxes have their width in pixels or percent as an attribute: Outlook ignores max-width (css-max-width)': (html) =>
    select(html, 'table[style*="max-width"]').filter((table) => !/ width="\d+%?"/.test(table)),
  'padding is on cells: Outlook ignores it on links, pictures and lists (css-padding)': (html) =>
    select(html, '[style*="padding"]').filter((tag) => !tag.startsWith('<td') && !/padding:0[;"]/.test(tag)),
  'pictures have their size as attributes, and alternative text for when they aren’t loaded (html-width, css-width)': (
    html,
  ) => select(html, 'img').filter((img) => !/ width="\d+" height="\d+"/.test(img) || !/ alt="/.test(img)),
  'backgrounds are a background-color: Outlook ignores all other background properties (css-background)': (html) =>
    select(html, '[style*="background:"]'),
  'nothing is laid out with flex, grid, position, float or variables (css-display-flex, css-variables)': (html) =>
    select(html, '[style]').filter((tag) => /(?:flex|grid|position|float|var\(|calc\(|\drem)/.test(tag)),
  'rules have only class and element selectors: Gmail drops the others (css-pseudo-class-is)': (html) => [
    ...(readSheets(html)
      .join('')
      .match(/:(?:is|where|not|has)\(|\[|>|url\(|@import|@font-face/g) ?? []),
  ],
  'there are no scripts, forms, frames, external style sheets or drawings': (html) =>
    select(html, 'script, form, iframe, link, svg, video, object, [src^="data:"]'),
  'boxes and pictures also have their width in the style: Outlook scales only that at 125–150 %': (html) =>
    select(html, '[width]').filter((tag) => !/style="[^"]*\bwidth:/.test(tag.replace('max-width:', ''))),
  'Outlook keeps the size of pictures': (html) =>
    html.includes('<!--[if gte mso 9]><xml><o:OfficeDocumentSettings>') ? [] : ['no PixelsPerInch'],
  'nothing turns blue on an iPhone or in Gmail': (html) =>
    ['<meta name="format-detection"', 'a[x-apple-data-detectors] {', 'u + .paper a,'].filter(
      (part) => !html.includes(part),
    ),
  'the preview is padded with at most 300 bytes of characters that Outlook and mail.ru hide': (html) => {
    const padding = /<div class="preview"[^>]*>[^<]*?((?:\p{Cf}|\u034F|\u00A0)*)<\/div>/u.exec(html)![1]!;
    return Buffer.byteLength(padding) <= 300 && /^[\u034F\u00A0]{100,}$/.test(padding) ? [] : [padding];
  },
  'every URL is complete': (html) =>
    select(html, '[href], [src]').filter((tag) => !/ (?:href|src)="(?:https:\/\/|mailto:)/.test(tag)),
};

/** Reads the style sheets, except the one for Apple's attribute, which Gmail needn't read. */
function readSheets(html: string): string[] {
  const sheets = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, rules]) => rules!);
  return sheets.filter((rules) => !rules.startsWith('a[x-apple-data-detectors]'));
}

function select(html: string, selector: string): string[] {
  const { document } = new Window({ settings: { disableCSSFileLoading: true } });
  document.write(html);
  return [...document.querySelectorAll(selector)].map(({ outerHTML }) => /^<[^>]*>/.exec(outerHTML)![0]);
}

test.each(Object.keys(mails) as (keyof typeof mails)[])(
  'follows the rules of Outlook on Windows and Gmail: %s',
  (name) => {
    const { html } = mails[name];
    const broken = Object.entries(RULES).flatMap(([rule, find]) => find(html).map((tag) => `${rule}: ${tag}`));
    expect(broken).toEqual([]);
    // Gmail drops a style sheet of more than 8,192 characters (css-style-tag), and clips an email at 102 kB.
    expect(readSheets(html).join('').length).toBeLessThan(8192);
    expect(select(html, 'table[width="600"]')).toHaveLength(2);
  },
);

test('scales a picture down to the column, and keeps its proportions', () => {
  const pictures = select(mails.update.html, 'img[src$="/chart.png"], img[alt="A small mark"]');
  expect(pictures).toEqual([
    expect.stringContaining('width="536" height="402"'),
    expect.stringContaining('width="100" height="50"'),
  ]);
});

test('shortens a long preview without cutting an emoji in half', () => {
  const welcome = { ...content.mail.welcome, paragraphs: [`${'a'.repeat(199)}😀 and more`] };
  const { html } = renderSignUpMails({ ...content, mail: { ...content.mail, welcome } }).welcome;
  expect(/<div class="preview"[^>]*>(\P{Cf}*?)</u.exec(html)?.[1]).toBe(`${'a'.repeat(199)}😀`);
});
