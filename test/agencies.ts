import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { parse, stringify } from 'yaml';
import { TEST_CONTENT } from './test-content.ts';

/** The hosts of MAXIMAL's scripts and MINIMAL's sign-ups: tests map each to a server of their own. */
export const TAG_HOST = 'localhost:7001';
export const NEWSLETTER_HOST = 'localhost:7002';

/** Twice as wide as it is high. */
const WIDE_MARK = `<svg viewBox="0 0 120 60" xmlns="http://www.w3.org/2000/svg">
  <defs><linearGradient id="a"><stop offset="0" stop-color="#7fd1ff" /><stop offset="1" stop-color="#fff" /></linearGradient></defs>
  <path d="M5 5h20v50h-20zM40 55l15-50l15 50zM85 5h30l-30 50h30" style="fill:none;stroke:url(#a);stroke-width:8" />
</svg>
`;

export type Agency = {
  name: string;
  /** The settings of its build and its server. */
  env: Record<string, string>;
  overrides: Record<string, object>;
  policy: (text: string) => string;
  pictures: () => Promise<Record<string, Buffer>>;
};

const numbered = (count: number, of: (number: number) => object) =>
  Array.from({ length: count }, (_, at) => of(at + 1));

const script = (id: string, category: string, src: string) => ({ id, category, kind: 'script', src, purpose: 'Runs' });
const ofKind = (kind: string, provider: string) => ({
  id: kind,
  kind,
  provider,
  category: 'marketing',
  purpose: 'Runs',
});
const listStored = (duration: string, ...names: string[]) => names.map((name) => ({ name, duration }));

/** Scripts of every kind and category. */
export const TAGS = [
  {
    id: 'google',
    category: 'statistics',
    kind: 'ga4',
    provider: 'Google Ireland Ltd',
    purpose: 'Shows which pages lead to a call',
    measurementId: 'G-TEST123',
    cookies: listStored('2 years', '_ga', '_ga_*'),
  },
  {
    id: 'plausible',
    category: 'statistics',
    kind: 'plausible',
    provider: 'Plausible Insights OÜ',
    purpose: 'Counts visits without cookies',
    src: 'https://plausible.io/js/pa-test.js',
  },
  {
    ...script('visits', 'statistics', `http://${TAG_HOST}/tag.js`),
    provider: 'Visits Ltd',
    cookies: listStored('1 year', 'visit_id', 'visit_s_*', '__Secure-visit', '__Host-visit', 'visit_parted'),
    storage: listStored('Until removed', 'visit_user', 'visit_session'),
  },
  { ...script('throwing', 'preferences', `http://${TAG_HOST}/throws.js`), provider: 'Broken Ltd' },
  { ...script('absent', 'preferences', 'http://localhost:9/absent.js'), provider: 'Broken Ltd' },
  {
    ...script('restless', 'marketing', `http://${TAG_HOST}/restless.js`),
    provider: 'Restless Ltd',
    cookies: listStored('1 year', 'restless'),
    storage: listStored('Until removed', 'restless*'),
  },
  {
    ...ofKind('linkedin', 'LinkedIn Ireland'),
    partnerId: '123456',
    cookies: listStored('30 days', 'li_fat_id'),
  },
  { ...ofKind('meta', 'Meta Platforms Ireland'), pixelId: '1234567890', cookies: listStored('90 days', '_fbp') },
  {
    ...ofKind('matomo', 'InnoCraft'),
    url: 'https://agency.matomo.cloud',
    siteId: '7',
    cookies: listStored('13 months', '_pk_id*'),
  },
  { ...ofKind('calendly', 'Calendly') },
  {
    ...script('umami', 'marketing', 'https://cloud.umami.is/script.js'),
    provider: 'Umami Software',
    attributes: { 'data-website-id': 'b0c1' },
    variables: { umamiSettings: { tag: 'test' } },
    hosts: ['https://*.umami.dev'],
  },
];

/**
 * An agency that uses everything: accents and an ampersand, a wide mark, own colours and fonts, long lists, and tags.
 */
export const MAXIMAL: Agency = {
  name: 'full',
  env: {},
  overrides: {
    'agency.yaml': {
      name: 'Łódź & Søren',
      legalName: 'Łódź & Søren Międzynarodowe Doradztwo Personalne Spółka z ograniczoną odpowiedzialnością',
      telephone: '+48 42 555 01 99',
      email: 'wiadomosci@miedzynarodowe-doradztwo.lodz.test',
      otherOffices: [
        { label: 'København, Danmark', map: 'https://maps.lodz.test/2' },
        { label: 'Kraków, Polska', map: 'https://maps.lodz.test/3' },
      ],
      registration: { number: 'OC301234', place: 'England and Wales' },
      verification: { google: 'abcDEF_123-xyz', bing: '0123456789ABCDEF' },
      tags: TAGS,
      'founder.formerEmployers': numbered(3, (at) => ({ name: `Employer ${at}`, url: `https://employer-${at}.test` })),
    },
    'brand.yaml': {
      fonts: { headings: 'source-serif-4', text: 'source-sans-3' },
      nameBesideMark: false,
      portrait: 'natural',
      brand: { deep: '#3b0d2c', sun: '#7fd1ff' },
    },
    'home.yaml': {
      'intro.cards': numbered(6, (at) => ({ icon: 'check', title: `Habit ${at}`, text: 'We keep it.' })),
      'process.steps': numbered(5, (at) => ({ title: `Step ${at}`, text: 'We do it with you.' })),
      'focus.areas': numbered(3, (at) => ({ title: `Field ${at}`, roles: ['Sales lead', 'Engineer'], note: 'Ours.' })),
      'founder.stats': numbered(3, (at) => ({ figure: `${at}0+`, label: `Years of kind ${at}` })),
      'founder.biography': ['{founder} sold for [{employer1}], [{employer2}] and [{employer3}].'],
    },
  },
  policy: (text) => text,
  pictures: async () => ({
    'mark.svg': Buffer.from(WIDE_MARK),
    'portrait.jpg': readFileSync(join(TEST_CONTENT, 'portrait.jpg')),
  }),
};

/**
 * An agency with the bare minimum: a sole trader with a Cyrillic name, a mark five times as wide as high, no portrait,
 * its own labels, the demonstration's email address, short lists, and pages that post their sign-ups to another host.
 */
export const MINIMAL: Agency = {
  name: 'small',
  env: { NEWSLETTER_ENDPOINT: `http://${NEWSLETTER_HOST}/api/newsletter` },
  overrides: {
    'agency.yaml': {
      name: 'Олена Коваленко',
      legalName: 'Олена Петрівна Коваленко',
      tagline: ['Ακούω', 'Ψάχνω', 'Βρίσκω'],
      registration: undefined,
      email: 'hello@larkfield.example',
      'founder.name': 'Олена Коваленко',
      'founder.formerEmployers': [],
    },
    'brand.yaml': { nameBesideMark: true },
    'home.yaml': {
      'hero.headline': 'Шукаю людей, що вміють продавати',
      'intro.cards': numbered(3, (at) => ({ icon: 'person', title: `Habit ${at}`, text: 'I keep it.' })),
      'process.steps': numbered(2, (at) => ({ title: `Step ${at}`, text: 'I do it with you.' })),
      'focus.areas': numbered(1, () => ({ title: 'One field', roles: ['Sales lead'], note: 'Mine.' })),
      'founder.biography': ['I sold software for ten years.'],
    },
    'pages.yaml': { labels: { focus: 'Галузь', process: 'Пошук', menu: 'Меню', join: 'Підписатися' } },
  },
  policy: (text) => text.replace(', registered in {registrationPlace} under {registrationNumber}', ''),
  pictures: async () => ({
    'mark.png': await sharp({ create: { width: 3000, height: 600, channels: 4, background: '#f6b24a' } })
      .png()
      .toBuffer(),
  }),
};

/** Writes the test content with an agency's overrides. */
export async function writeAgency({ overrides, policy, pictures }: Agency, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of ['agency', 'brand', 'consent', 'faq', 'home', 'mail', 'pages'].map((each) => `${each}.yaml`)) {
    const record = parse(readFileSync(join(TEST_CONTENT, file), 'utf8'));
    for (const [path, value] of Object.entries(overrides[file] ?? {})) setPath(record, path.split('.'), value);
    write(join(folder, file), stringify(record));
  }
  write(join(folder, 'privacy-policy.md'), policy(readFileSync(join(TEST_CONTENT, 'privacy-policy.md'), 'utf8')));
  for (const [file, bytes] of Object.entries(await pictures())) write(join(folder, file), bytes);
}

function setPath(record: Record<string, unknown>, [first, ...rest]: string[], value: unknown): void {
  if (rest.length > 0) setPath(record[first!] as Record<string, unknown>, rest, value);
  else record[first!] = value;
}

/** Skips unchanged files, since touching them would trigger a rebuild on every run. */
function write(path: string, content: string | Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  writeFileSync(path, content);
}
