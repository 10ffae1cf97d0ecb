import { expect, test } from 'vitest';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { readPage } from '../../read-page.ts';
import { ask } from '../../ask.ts';
import { startNewsletter } from '../setup/running-newsletter.ts';

const SITE_URL = 'https://www.agency.example';
/** The Host header that a proxy passes on by default. */
const HIDDEN = { Host: '127.0.0.1:3000' };

type Visitor = { siteUrl?: string; first: Record<string, string>; again: Record<string, string> };

/** Posts a form as a browser without JavaScript does. */
function post(url: string, fields: Record<string, string>, headers: Record<string, string>) {
  const body = new URLSearchParams(fields).toString();
  const type = 'application/x-www-form-urlencoded';
  const sent = { Accept: 'text/html,*/*;q=0.8', 'Content-Type': type, 'Content-Length': body.length, ...headers };
  return ask(url + NEWSLETTER_PATH, { body, headers: sent });
}

/** The body that a browser would post from the form of a page. */
function readForm(html: string): Record<string, string> {
  const inputs = [...readPage(html).querySelectorAll('main form input')];
  const sent = inputs.filter((each) => each.getAttribute('type') !== 'checkbox' || each.hasAttribute('checked'));
  return Object.fromEntries(
    sent
      .filter((each) => each.hasAttribute('name'))
      .map((each) => [each.getAttribute('name')!, each.getAttribute('value') ?? '']),
  );
}

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };

/** A proxy that gives the server another name: GitHub Codespaces, or a tunnel. */
const RENAMED = {
  Host: 'localhost:3000',
  Origin: 'https://abc-3000.app.github.dev',
  'X-Forwarded-Host': 'abc-3000.app.github.dev',
  'X-Forwarded-Proto': 'https',
};

test.each<[string, Visitor]>([
  [
    'a proxy hides Host',
    { siteUrl: SITE_URL, first: { ...HIDDEN, Origin: SITE_URL }, again: { ...HIDDEN, Origin: 'null' } },
  ],
  [
    'an extension hides the origin everywhere',
    { siteUrl: SITE_URL, first: { ...HIDDEN, Origin: 'null' }, again: { ...HIDDEN, Origin: 'null' } },
  ],
  [
    'the site is reached without www',
    {
      siteUrl: SITE_URL,
      first: { ...HIDDEN, ...sameOrigin, Origin: 'https://agency.example' },
      again: { ...HIDDEN, ...sameOrigin, Origin: 'https://agency.example' },
    },
  ],
  ['a tunnel renames the host, and the browser is old', { first: RENAMED, again: RENAMED }],
  [
    'a tunnel leads to a site that has another URL',
    { siteUrl: SITE_URL, first: { ...RENAMED, ...sameOrigin }, again: { ...RENAMED, ...sameOrigin } },
  ],
])('signs a visitor up without JavaScript, at the second attempt at the latest, if %s', async (_, visitor) => {
  const { url, newsletter, people } = await startNewsletter({ SITE_URL: visitor.siteUrl });
  const consent = newsletter.currentWordings.Footer;
  const typed = { email: 'anna@example', role: 'Other', source: 'Footer | utm_source=card', website: '', consent };
  // With an invalid email address, so the form comes back in any case.
  const first = await post(url, typed, visitor.first);
  expect([400, 403]).toContain(first.status);
  const form = readForm(first.text);
  expect(form).toMatchObject({ email: 'anna@example', source: 'Footer | utm_source=card', consent });
  const again = await post(url, { ...form, email: 'anna@example.org', role: 'Other' }, visitor.again);
  expect([again.status, again.headers.location]).toEqual([303, '/newsletter/joined/footer']);
  expect(await people()).toMatchObject([{ email: 'anna@example.org', state: 'subscribed' }]);
});

test.each<[string, string | undefined, Record<string, string>]>([
  ['names itself', SITE_URL, { Origin: 'https://evil.example' }],
  ['hides its name from an old browser', SITE_URL, { Origin: 'null' }],
])(
  "signs nobody up from another site's form, even with the token of a form that was sent elsewhere: it %s",
  async (_, site, from) => {
    const { url, newsletter, people } = await startNewsletter({ SITE_URL: site, TRUSTED_PROXY_HEADER: 'X-Client' });
    const fields = { email: 'victim@example.org', source: 'Footer', consent: newsletter.currentWordings.Footer };
    const { text } = await post(url, { ...fields, email: '' }, { ...HIDDEN, 'X-Client': '198.51.100.7' });
    const { token } = readForm(text);
    for (const more of [{}, { token: token! }, { token: 'x' }]) {
      const response = await post(url, { ...fields, ...more }, { ...HIDDEN, 'X-Client': '192.0.2.1', ...from });
      expect(response.status).toBe(403);
    }
    expect(await people()).toEqual([]);
  },
);

test('accepts the plain form at once through a tunnel that renames the host, as it does the JSON', async () => {
  const { url, newsletter, people } = await startNewsletter({ SITE_URL: undefined });
  const fields = { email: 'anna@example.org', source: 'Footer', consent: newsletter.currentWordings.Footer };
  const plain = await post(url, fields, { ...RENAMED, ...sameOrigin });
  expect([plain.status, plain.headers.location]).toEqual([303, '/newsletter/joined/footer']);
  const body = JSON.stringify({ ...fields, email: 'ben@example.org' });
  const headers = { ...RENAMED, ...sameOrigin, 'Content-Type': 'application/json', 'Content-Length': body.length };
  expect((await ask(url + NEWSLETTER_PATH, { body, headers })).status).toBe(200);
  expect((await people()).map(({ email }) => email)).toEqual(['anna@example.org', 'ben@example.org']);
});

test('if a page’s JSON is rejected, explains why on its plain form, and logs what to set', async () => {
  const { url, newsletter, log } = await startNewsletter({ SITE_URL });
  const fields = { email: 'anna@example.org', source: 'Footer', consent: newsletter.currentWordings.Footer };
  const { status, text } = await post(url, fields, { ...RENAMED, ...sameOrigin });
  expect(status).toBe(403);
  expect(text).toContain('hides which page you came from. Please try again here.');
  expect(log.join()).toMatch(/a page of https:\/\/abc-3000\.app\.github\.dev, .*set SITE_URL/);
});
