import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { content } from '../../../test/test-content.ts';
import { checkContent } from './check-content.ts';
import { checkPictures } from './check-pictures.ts';
import { checkCountry, checkSettings } from './check-settings.ts';
import { findPublicLeftovers } from './find-leftovers.ts';

const copy = copyContentForEachTest();

beforeEach(() => writeFileSync(join(copy.folder, 'mark.png'), ''));

test('content with nothing of the demonstration left has no finding', () => {
  expect(checkContent(copy.folder, {})).toEqual([]);
});

test('a placeholder is found at its line and column', () => {
  const email = copy.change('agency.yaml', 'office@quillharbour.test', 'hello@larkfield.example');
  const number = copy.change('agency.yaml', 'SC999999', '"00000000"');
  expect(checkContent(copy.folder, {}).map(({ where, problem }) => `${where.replace(/^.*\//, '')} ${problem}`)).toEqual(
    [
      `agency.yaml:${email}:8 email “hello@larkfield.example” is the demonstration’s`,
      `agency.yaml:${number}:11 registration > number “00000000” is the demonstration’s`,
    ],
  );
});

test('a number of the demonstration’s is found without its quotes too', () => {
  copy.change('agency.yaml', 'SC999999', '00000000');
  expect(checkContent(copy.folder, {})).toMatchObject([{ problem: '“00000000” is the demonstration’s' }]);
});

test('a policy of a month that has not come is found, with its line', () => {
  copy.change('privacy-policy.md', 'March 2026', 'August 2199');
  expect(checkContent(copy.folder, {})).toMatchObject([
    { where: expect.stringMatching(/privacy-policy\.md:5 lastUpdated$/), problem: 'August 2199 has not come yet' },
  ]);
});

test('a photograph that is soft on most screens is reported, and may stay', async () => {
  rmSync(join(copy.folder, 'mark.png'));
  expect(await checkPictures(copy.folder, content.brand)).toEqual([]);
  const create = { width: 847, height: 1100, channels: 3, background: '#123456' } as const;
  await sharp({ create }).toFile(join(copy.folder, 'portrait.jpg'));
  expect(await checkPictures(copy.folder, content.brand)).toMatchObject([
    { where: expect.stringMatching(/portrait\.jpg$/), problem: expect.stringContaining('847×1100'), mayStay: true },
  ]);
});

describe('a mark', () => {
  const draw = (ground: string, ink: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path fill="${ground}" d="M0 0h90v30h-90z"/>` +
    `<path fill="${ink}" d="M10 5h50v20h-50z"/></svg>`;

  test.each([
    ['with a white ground', draw('#fff', '#0d3b38'), 'a white box'],
    ['in dark colours', draw('none', '#222'), 'can hardly be seen'],
  ])('%s is recognised as made for a white ground, and may stay', async (_, drawing, words) => {
    rmSync(join(copy.folder, 'mark.png'));
    writeFileSync(join(copy.folder, 'mark.svg'), drawing);
    expect(await checkPictures(copy.folder, content.brand)).toMatchObject([
      { where: expect.stringMatching(/mark\.svg$/), problem: expect.stringContaining(words), mayStay: true },
    ]);
  });

  test.each([
    ['in light colours', draw('none', '#fff')],
    ['with a coloured ground of its own', draw('#f6b24a', '#222')],
    ['with a dark outline around light letters', draw('#222', '#fff')],
  ])('%s has no finding', async (_, drawing) => {
    rmSync(join(copy.folder, 'mark.png'));
    writeFileSync(join(copy.folder, 'mark.svg'), drawing);
    expect(await checkPictures(copy.folder, content.brand)).toEqual([]);
  });
});

test('the drawn portrait is found', () => {
  rmSync(join(copy.folder, 'portrait.jpg'));
  expect(checkContent(copy.folder, {})).toMatchObject([
    { problem: 'the drawn portrait is shown instead of a photograph' },
  ]);
});

test.each([
  ['a name', 'faq.yaml', '{name} searches', 'Larkfield searches', 'faq.yaml:LINE:13 items > answer “Larkfield”'],
  [
    'a former employer',
    'agency.yaml',
    'Lomond Data',
    'Meridian Cloud',
    'agency.yaml:LINE:13 founder > formerEmployers > name “Meridian Cloud”',
  ],
  [
    'a name in the policy',
    'privacy-policy.md',
    'Only what',
    'Rowan Lark keeps what',
    'privacy-policy.md:LINE:1 “Rowan Lark”',
  ],
  [
    'the words for the drawn portrait',
    'home.yaml',
    'on the quay at Leith',
    'drawn in dots',
    'home.yaml:LINE:16 founder > portraitAlt “drawn in dots”',
  ],
])('%s of the demonstration’s is found, with its file and field', (_, file, from, to, expected) => {
  const line = copy.change(file, from, to);
  expect(checkContent(copy.folder, {}).map(({ where, problem }) => `${where.replace(/^.*\//, '')} ${problem}`)).toEqual(
    [`${expected.replace('LINE', String(line))} is the demonstration’s`],
  );
});

test.each([
  ['a first name in a text', 'home.yaml', 'on the quay at Leith', 'Rowan on the quay', '“Rowan”'],
  ['a name in capitals', 'faq.yaml', '{name} searches', 'LARKFIELD searches', '“LARKFIELD”'],
  ['a social link', 'agency.yaml', 'people.test/morag-quill', 'social.test/company/larkfield', '“larkfield”'],
  ['a map link', 'agency.yaml', '?q=2+Shore+Lane', '?q=1+Example+Street', '“1+Example+Street”'],
  ['a postcode in a link', 'agency.yaml', '?q=2+Shore+Lane', '?q=EC1A%201AA', '“EC1A%201AA”'],
  ['a placeholder from instructions', 'agency.yaml', '[Scotland, Nordic countries]', '[G-XXXX]', '“G-XXXX”'],
  ['the date of the policy', 'privacy-policy.md', 'March 2026', 'August 2025', 'August 2025'],
])('%s of the demonstration’s stops a launch', (_, file, from, to, words) => {
  copy.change(file, from, to);
  expect(checkContent(copy.folder, {})).toEqual([
    { where: expect.any(String), problem: `${words} is the demonstration’s`, advice: expect.any(String) },
  ]);
});

test('all words of the demonstration’s in one text are one thing to mend', () => {
  copy.change('agency.yaml', '?q=2+Shore+Lane', '?q=1+Example+Street+EC1A+1AA');
  expect(checkContent(copy.folder, {})).toMatchObject([
    { problem: '“1+Example+Street” and “EC1A+1AA” are the demonstration’s' },
  ]);
});

test('a founder who shares the first name of the demonstration may keep it', () => {
  copy.change('agency.yaml', 'name: Morag Quill', 'name: Rowan Quill');
  expect(checkContent(copy.folder, {})).toEqual([]);
});

test('the demonstration’s update stops a launch, whatever the file is called', () => {
  const shipped = new URL('../../../content/updates/2026-12-salaries.md', import.meta.url);
  mkdirSync(join(copy.folder, 'updates'));
  cpSync(shipped, join(copy.folder, 'updates/january.md'));
  expect(checkContent(copy.folder, {})).toMatchObject([
    { where: expect.stringMatching(/updates\/january\.md:\d+$/), problem: 'this update is the demonstration’s' },
  ]);
});

test('words of the demonstration’s in a file of public/ stop a launch', () => {
  const publicFolder = join(copy.folder, 'public');
  mkdirSync(publicFolder);
  writeFileSync(join(publicFolder, 'logo.svg'), '<svg><title>Larkfield</title></svg>');
  writeFileSync(join(publicFolder, 'rowan-lark.jpg'), '');
  expect(findPublicLeftovers(publicFolder)).toMatchObject([
    { where: expect.stringMatching(/rowan-lark\.jpg$/) },
    { where: expect.stringMatching(/logo\.svg:1:13$/) },
  ]);
});

describe('words of the demonstration that state no name', () => {
  test('a life that is another founder’s is reported', () => {
    copy.change(
      'home.yaml',
      /biography:\n {4}- .*/,
      'biography:\n    - That work put hundreds of senior SaaS sales professionals into teams across EMEA. {name} exists to do the same for companies where every hire shows in the revenue.',
    );
    const [finding] = checkContent(copy.folder, {});
    expect(finding).toMatchObject({ where: expect.stringMatching(/home\.yaml:\d+:7 founder > biography$/) });
    expect(finding).not.toHaveProperty('mayStay');
  });

  test('answers that any agency might give are one finding, with their lines, and may stay', () => {
    copy.change('faq.yaml', /question: .*/, 'question: How does the process work?');
    copy.change('faq.yaml', /heading: .*/, 'heading: Frequently Asked Questions');
    expect(checkContent(copy.folder, {})).toMatchObject([
      {
        where: expect.stringMatching(/faq\.yaml$/),
        problem: expect.stringMatching(/: heading \(line \d+\); items > question \(line \d+\)$/),
        mayStay: true,
      },
    ]);
  });
});

test('the demonstration’s mark is found', () => {
  rmSync(join(copy.folder, 'mark.png'));
  expect(checkContent(copy.folder, {})).toMatchObject([{ where: expect.stringContaining('mark.svg') }]);
});

describe('what is set where the site runs', () => {
  const SMTP_URL = 'smtps://mail.quillharbour.test';

  test('is enough when mails are sent, from the domain of the site', () => {
    expect(checkSettings(content.agency, { SMTP_URL })).toEqual([]);
  });

  test('needs a mail server, unless sign-ups go elsewhere', () => {
    expect(checkSettings(content.agency, {})).toMatchObject([{ where: 'SMTP_URL' }]);
    expect(checkSettings(content.agency, { NEWSLETTER_ENDPOINT: 'https://sheet.test/exec' })).toEqual([]);
  });

  test('needs an address of the owner’s for warnings', () => {
    expect(checkSettings(content.agency, { SMTP_URL, NOTIFY_TO: 'you@example.org' })).toMatchObject([
      { where: 'NOTIFY_TO' },
    ]);
  });

  test('needs a sender of the domain of the site', () => {
    const agency = { ...content.agency, email: 'quillharbour@freemail.test' };
    expect(checkSettings(agency, { SMTP_URL })).toMatchObject([{ where: 'content/agency.yaml email' }]);
  });

  test.each([
    ['https://www.example.org', 'can never be a site of yours'],
    ['http://quillharbour.test.uk', 'is not encrypted'],
  ])('needs an address that can be the site: %s', (SITE_URL, problem) => {
    expect(checkSettings(content.agency, { SMTP_URL, SITE_URL })).toMatchObject([
      { where: 'SITE_URL', problem: expect.stringContaining(problem) },
    ]);
  });

  test('needs the address that is checked live', () => {
    const SITE_URL = 'https://quillharbour.uk';
    expect(checkSettings(content.agency, { SMTP_URL, SITE_URL }, SITE_URL)).toEqual([]);
    expect(checkSettings(content.agency, { SMTP_URL, SITE_URL }, 'https://www.quillharbour.uk')).toMatchObject([
      { where: 'SITE_URL' },
    ]);
  });
});

test('a country other than that of the register stops a launch', () => {
  const { registeredOffice } = content.agency;
  expect(checkCountry(content.agency)).toEqual([]);
  expect(checkCountry({ ...content.agency, registeredOffice: { ...registeredOffice, country: 'IE' } })).toMatchObject([
    { where: 'content/agency.yaml registeredOffice > country' },
  ]);
});

describe('what the policy says of visits', () => {
  const visits = (variables: Record<string, string>) =>
    checkContent(copy.folder, variables).map(({ where, problem, mayStay }) => [
      where.replace(/^.*\//, ''),
      problem,
      mayStay,
    ]);
  const COUNTED = /.*Page views are counted.*/;

  test('may not say that they are counted where they are not', () => {
    const problem = 'this paragraph says that visits are counted, and COUNT_VISITS=false ends the counting';
    expect(visits({ COUNT_VISITS: 'false' })).toEqual([['privacy-policy.md:14 ## Cookies', problem, undefined]]);
    copy.change('privacy-policy.md', COUNTED, 'Only what is needed.');
    expect(visits({ COUNT_VISITS: 'false' })).toEqual([]);
  });

  test('must say that they are counted where they are', () => {
    const missing = [['privacy-policy.md:12 ## Cookies', 'visits are counted, and no paragraph says so', undefined]];
    copy.change('privacy-policy.md', COUNTED, 'Only what is needed. We honour **Global Privacy Control**.');
    expect(visits({})).toEqual(missing);
    expect(visits({ COUNT_VISITS: 'true' })).toEqual(missing);
  });

  test('may say it in the owner’s own words, in lines of any length and under another heading', () => {
    copy.change('privacy-policy.md', COUNTED, 'Only what is needed.');
    copy.change(
      'privacy-policy.md',
      /$/,
      '\n## What we count\n\nWe are counting who reads.\nA browser with Do Not\nTrack is left out.\n',
    );
    expect(visits({})).toEqual([]);
    expect(visits({ COUNT_VISITS: 'false' })).toMatchObject([['privacy-policy.md:22 ## What we count', {}, undefined]]);
  });

  test('is asked about where pages may lie on a host for files alone', () => {
    const variables = { NEWSLETTER_ENDPOINT: 'https://sheet.test/exec' };
    expect(visits(variables)).toMatchObject([['privacy-policy.md:14 ## Cookies', {}, true]]);
    copy.change('privacy-policy.md', COUNTED, 'Only what is needed.');
    expect(visits(variables)).toEqual([]);
  });
});
