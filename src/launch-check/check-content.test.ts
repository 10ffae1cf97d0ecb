import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyContentForEachTest } from '../../test/content-copy.ts';
import { content } from '../../test/test-content.ts';
import { checkContent } from './check-content.ts';
import { checkCountry, checkSettings } from './check-settings.ts';

const copy = copyContentForEachTest();

beforeEach(() => writeFileSync(join(copy.folder, 'mark.png'), ''));

/** Each finding as its file name, its line and the problem. */
const listFindings = () =>
  checkContent(copy.folder).map(
    ({ where, problem }) => `${where.replace(/^.*\//, '').replace(/:\d+(?= |$)/, '')} ${problem}`,
  );

test('finds nothing in content without leftovers', () => {
  expect(checkContent(copy.folder)).toEqual([]);
});

test.each([
  ['portrait.jpg', 'portrait.jpg the drawn portrait is shown instead of a photograph'],
  ['mark.png', 'mark.svg the demonstration’s mark is in the header, the icons and the share images'],
])('reports the demonstration’s picture if %s is missing', (file, expected) => {
  rmSync(join(copy.folder, file));
  expect(listFindings()).toEqual([expected]);
});

test.each([
  ['agency.yaml', 'office@quillharbour.test', 'hello@larkfield.example', ' email “hello@larkfield.example” is'],
  ['agency.yaml', 'SC999999', '"00000000"', ' number “00000000” is'],
  ['agency.yaml', 'SC999999', '00000000', ' number “00000000” is'],
  ['agency.yaml', 'test/morag-quill', 'test/company/larkfield', ' profile “larkfield” is'],
  ['agency.yaml', '2+Shore+Lane', '1+Example+Street+EC1A+1AA', ' map “1+Example+Street” and “EC1A+1AA” are'],
  ['agency.yaml', '[Scotland, Nordic countries]', '[G-XXXX]', ' areaServed “G-XXXX” is'],
  ['faq.yaml', '{name} searches', 'LARKFIELD searches', ' answer “LARKFIELD” is'],
  ['home.yaml', 'on the quay at Leith', 'Rowan on the quay', ' portraitAlt “Rowan” is'],
  [
    'home.yaml',
    /(?<=biography:\n {4}- ).*/,
    'I put hundreds of senior SaaS sales professionals into teams across EMEA.',
    ' biography “hundreds of senior SaaS sales professionals into teams across EMEA” is',
  ],
  ['privacy-policy.md', 'Only what', 'Rowan Lark keeps what', ' text “Rowan Lark” is'],
  ['privacy-policy.md', 'March 2026', 'August 2025', ' lastUpdated “August 2025” is'],
])('reports leftovers in %s (%j changed to %j) with their position', (file, from, to, expected) => {
  const line = copy.change(file, from, to);
  expect(listFindings()).toEqual([`${file}:${line}${expected} from the demonstration`]);
});

test('names the field of a leftover, even if another field has the same text', () => {
  copy.change('agency.yaml', 'test/morag-quill', 'test/company/larkfield');
  copy.change('agency.yaml', 'test/company/quill-harbour', 'test/company/larkfield');
  copy.change('privacy-policy.md', 'March 2026', 'August 2025');
  expect(checkContent(copy.folder).map(({ field }) => field)).toEqual([
    'agency.founder.profile',
    'agency.profiles',
    'privacy-policy.lastUpdated',
  ]);
});

test('accepts a founder with the first name of the demonstration’s founder', () => {
  copy.change('agency.yaml', 'name: Morag Quill', 'name: Rowan Quill');
  expect(checkContent(copy.folder)).toEqual([]);
});

test('reports the demonstration’s update under any name and subject', () => {
  mkdirSync(join(copy.folder, 'updates'));
  const lines = ['---', 'subject: Pay', '---', '', '# Pay', '', 'Over the year we sat between both sides of offers.'];
  writeFileSync(join(copy.folder, 'updates/january.md'), lines.join('\n'));
  expect(listFindings()).toEqual([
    'january.md:7 text “Over the year we sat between both sides” is from the demonstration',
  ]);
});

describe('the check of the site’s settings', () => {
  const SMTP_URL = 'smtps://mail.quillharbour.test';

  const SITE_URL = 'https://quillharbour.uk';
  const ofSite = { ...content.agency, website: SITE_URL, email: 'office@quillharbour.uk' };

  test.each<[string, Record<string, string>, string[]]>([
    ['finds nothing if emails are sent from the site’s domain', { SMTP_URL, SITE_URL }, []],
    ['requires a mail server', { SITE_URL }, ['SMTP_URL no mail server is set']],
    ['requires the address of the site', { SMTP_URL }, ['SITE_URL the address of the site is not set']],
    [
      'rejects an address that isn’t public',
      { SMTP_URL, SITE_URL: 'https://nas.local' },
      ['SITE_URL the address nas.local can never'],
    ],
    [
      'doesn’t require a mail server if sign-ups are sent elsewhere',
      { SITE_URL, NEWSLETTER_ENDPOINT: 'https://sheet.test/exec' },
      [],
    ],
    ['rejects an example email address', { SMTP_URL, SITE_URL, NOTIFY_TO: 'you@example.org' }, ['NOTIFY_TO example']],
    [
      'rejects an example mail server',
      { SITE_URL, SMTP_URL: 'smtps://user:password@mail.example.org' },
      ['SMTP_URL mail.example'],
    ],
    ['rejects an example address of the site', { SMTP_URL, SITE_URL: 'https://WWW.Example.org' }, ['SITE_URL WWW']],
    ['never shows a password', { SITE_URL, SMTP_URL: 'smtps://user:Secret.example@mail.quillharbour.co.uk' }, []],
    [
      'requires the secret of the sheet’s script',
      { SMTP_URL, SITE_URL, SHEET_URL: 'https://script.google.com/macros/s/1abc/exec' },
      ['SHEET_URL the sheet’s script can’t erase'],
    ],
    ['requires an https:// address', { SMTP_URL, SITE_URL: 'http://quillharbour.uk' }, ['SITE_URL the address http:']],
  ])('%s', (_, variables, expected) => {
    const found = checkSettings(ofSite, variables).map(({ where, problem }) => `${where} ${problem}`);
    expect(found).toEqual(expected.map((start) => expect.stringMatching(`^${start}`)));
  });

  test('requires a sender at the site’s domain', () => {
    const agency = { ...ofSite, email: 'quillharbour@freemail.test' };
    expect(checkSettings(agency, { SMTP_URL, SITE_URL })).toMatchObject([{ where: 'content/agency.yaml email' }]);
  });

  test('requires SITE_URL to be the website named in the content', () => {
    const settings = { SMTP_URL, SITE_URL: 'https://www.quill.uk' };
    expect(checkSettings(ofSite, settings)).toMatchObject([{ where: 'content/agency.yaml website' }]);
  });
});

test('reports a country that doesn’t match the company register', () => {
  const { registeredOffice } = content.agency;
  expect(checkCountry(content.agency)).toEqual([]);
  expect(checkCountry({ ...content.agency, registeredOffice: { ...registeredOffice, country: 'IE' } })).toMatchObject([
    { where: 'content/agency.yaml registeredOffice > country' },
  ]);
});
