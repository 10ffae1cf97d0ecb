import { expect, test } from 'vitest';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { readPage } from '../../read-page.ts';
import { ask } from '../../ask.ts';
import { startNewsletter } from '../setup/running-newsletter.ts';

const SITE_URL = 'https://www.agency.example';
/** The Host that a proxy passes by default. */
const HIDDEN = { Host: '127.0.0.1:3000' };

type Visitor = { siteUrl?: string; first: Record<string, string>; again: Record<string, string> };

/** Posts a form as a browser without JavaScript does. */
function post(url: string, fields: Record<string, string>, headers: Record<string, string>) {
  const body = new URLSearchParams(fields).toString();
  const type = 'application/x-www-form-urlencoded';
  const sent = { Accept: 'text/html,*/*;q=0.8', 'Content-Type': type, 'Content-Length': body.length, ...headers };
  return ask(url + NEWSLETTER_PATH, { body, headers: sent });
}

/** What the browser would post from the form of a page. */
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
])('without JavaScript a visitor signs up at the second try at the latest, if %s', async (_, visitor) => {
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
  "another site's form signs nobody up, also with the token of a form that went elsewhere: it %s",
  async (_, site, from) => {
    const { url, newsletter, people } = await startNewsletter({ SITE_URL: site, TRUSTED_PROXY_HEADER: 'X-Client' });
    const fields = { email: 'victim@example.org', source: 'Footer', consent: newsletter.currentWordings.Footer };
    const { text } = await post(url, { ...fields, email: '' }, { ...HIDDEN, 'X-Client': '198.51.100.7' });
    const { token } = readForm(text);
    for (const more of [{}, { token: token! }, { token: 'x' }]) {
      const answer = await post(url, { ...fields, ...more }, { ...HIDDEN, 'X-Client': '192.0.2.1', ...from });
      expect(answer.status).toBe(403);
    }
    expect(await people()).toEqual([]);
  },
);
