import { expect, test } from 'vitest';
import { PUBLIC_SITE } from '../built-sites.ts';
import { content } from '../test-content.ts';
import { readBuiltPage } from './read-built-page.ts';

const { agency, home, faq, privacyPolicy: policy } = content;
const page = readBuiltPage(PUBLIC_SITE, 'index.html');

test('the home page has its sections in the order of the specification', () => {
  expect(readText(page.querySelector('h1')!)).toBe(home.hero.headline);
  const specified = [
    home.intro.heading,
    home.focus.heading,
    home.process.heading,
    home.founder.heading,
    home.earlySignUp.heading,
    faq.heading,
    home.contact.heading,
    home.footerSignUp.heading,
  ];
  // An owner may have added sections between them.
  const headings = [...page.querySelectorAll('h2')].map(readText);
  expect(headings.filter((heading) => specified.includes(heading))).toEqual(specified);
});

test.each([
  [home.hero.book, 2, agency.calendar, '_blank'],
  [home.process.book, 1, agency.calendar, '_blank'],
  [agency.location.label, 1, agency.location.map, '_blank'],
  [home.hero.talk, 1, `mailto:${agency.email}`, null],
  [home.contact.message, 1, `mailto:${agency.email}`, null],
  [agency.email, 2, `mailto:${agency.email}`, null],
])('every “%s” link has the right target, and an external one opens a new tab', (name, count, href, target) => {
  const links = [...page.querySelectorAll('main a')].filter((link) => readText(link).startsWith(name));
  expect(links).toHaveLength(count);
  for (const link of links) expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([href, target]);
});

test('former employers are linked with rel="nofollow", and brackets around anything else are left alone', () => {
  const founder = page.querySelector('#founder')!;
  const employers = [...founder.querySelectorAll('a')].map((link) => link.getAttribute('rel'));
  expect(employers).toEqual(Array(2).fill(expect.stringContaining('nofollow')));
  expect(founder.textContent).toContain('[sic]');
});

test('Request Terms opens an email that asks for them', () => {
  const link = [...page.querySelectorAll('a')].find((each) => readText(each) === 'Request Terms')!;
  const mail = new URL(link.getAttribute('href')!);
  expect(mail.pathname).toBe(agency.email);
  expect(mail.searchParams.get('body')).toContain('standard Terms of Business');
});

test('one answer is open at a time, since all <details> share a name', () => {
  const names = [...page.querySelectorAll('#faq details')].map((answer) => answer.getAttribute('name'));
  expect(names).toEqual(Array(faq.items.length).fill('faq'));
});

test('the privacy policy has its title, its sections, a way home at both ends and the regulator', () => {
  const shown = readBuiltPage(PUBLIC_SITE, 'privacy-policy.html');
  const main = shown.querySelector('main')!;
  expect(shown.title).toBe(policy.title);
  expect(shown.querySelector('meta[name="description"]')!.getAttribute('content')).toBe(policy.description);
  expect(readText(main.querySelector('h1')!)).toBe(policy.heading);
  expect(readText(main)).toContain(`Last updated: ${policy.lastUpdated}`);
  const sections = policy.sections.map(({ heading }, index) => `${index + 1}. ${heading}`);
  expect([...main.querySelectorAll('h2')].map(readText)).toEqual(sections);
  const links = [...shown.querySelectorAll('header a, main a')];
  const toHome = links.filter((link) => link.getAttribute('href') === '/').map(readText);
  expect(toHome).toEqual([agency.name, 'Home', 'Return to Home']);
  const regulator = links.find((link) => readText(link) === agency.dataProtection.regulator.name)!;
  expect(regulator.getAttribute('href')).toMatch(/^https:/);
});

function readText({ textContent }: { textContent: string | null }): string {
  return (textContent ?? '').replace(/\s+/g, ' ').trim();
}
