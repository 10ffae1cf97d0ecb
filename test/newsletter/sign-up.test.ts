import { describe, expect, test } from 'vitest';
import { NEWSLETTER_PATH } from '#shared/newsletter.ts';
import { freshStore, onEachStore, signUp, startNewsletter } from './running-newsletter.ts';
import { content } from '../test-content.ts';

onEachStore('a sign-up', (name) => {
  test('is stored with its consent and what must go out before the answer comes', async () => {
    const { url, newsletter } = await startNewsletter({
      ...(await freshStore(name)),
      SHEET_URL: 'https://sheet.example/exec',
      NOTIFY_TO: 'owner@agency.example',
    });
    const answer = await signUp(url, {
      email: ' Anna@EXAMPLE.org ',
      role: 'Founder',
      source: 'Founder | utm_source=linkedin&utm_medium=post',
    });
    expect(answer.status).toBe(200);

    const { db } = newsletter.store;
    const [subscriber] = await db.selectFrom('subscribers').selectAll().execute();
    expect(subscriber).toMatchObject({
      address: 'Anna@EXAMPLE.org',
      normalised_address: 'anna@example.org',
      role: 'Founder',
      first_source: 'Founder | utm_source=linkedin&utm_medium=post',
      state: 'subscribed',
    });
    const consent = await db
      .selectFrom('consent_records')
      .innerJoin('consent_wordings', 'version', 'wording_version')
      .select(['event', 'form', 'source', 'wording'])
      .execute();
    expect(consent).toEqual([
      {
        event: 'given',
        form: 'Founder',
        source: 'Founder | utm_source=linkedin&utm_medium=post',
        wording: 'I consent to receiving occasional updates from the agency. *',
      },
    ]);
    const deliveries = await db.selectFrom('deliveries').select('kind').orderBy('kind').execute();
    expect(deliveries.map((delivery) => delivery.kind)).toEqual(['notice', 'sheet-row', 'welcome']);
  });

  test('of somebody known is answered alike and mails nothing again', async () => {
    const { url, newsletter } = await startNewsletter(await freshStore(name));
    const answers = [
      await signUp(url),
      await signUp(url),
      await signUp(url, { email: 'anna@EXAMPLE.ORG' }),
      await signUp(url, { email: 'robot@example.org', website: 'https://spam.example' }),
    ];
    const replies = await Promise.all(
      answers.map(async (answer) => [answer.status, [...answer.headers.keys()], await answer.text()]),
    );
    for (const reply of replies) expect(reply).toEqual(replies[0]);

    const { db } = newsletter.store;
    expect(await db.selectFrom('subscribers').select('normalised_address').execute()).toEqual([
      { normalised_address: 'anna@example.org' },
    ]);
    expect(await db.selectFrom('deliveries').select('kind').execute()).toEqual([{ kind: 'welcome' }]);
    expect(await db.selectFrom('consent_records').select('event').execute()).toHaveLength(3);
  });

  test('with another letter case is the same person', async () => {
    const { url, newsletter } = await startNewsletter(await freshStore(name));
    await signUp(url, { email: 'Anna@example.org' });
    await signUp(url, { email: 'ANNA@example.org' });
    expect(
      await newsletter.store.db.selectFrom('subscribers').select(['address', 'normalised_address']).execute(),
    ).toEqual([{ address: 'Anna@example.org', normalised_address: 'anna@example.org' }]);
  });

  test('sent many times at once leaves one subscriber and one mail', async () => {
    const { url, newsletter } = await startNewsletter({
      ...(await freshStore(name)),
      TRUSTED_PROXY_HEADER: 'X-Client',
    });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        signUp(url, { email: `person${index % 3}@example.org` }, { 'X-Client': `198.51.100.${index}` }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(60).fill(200));
    expect(await newsletter.store.db.selectFrom('subscribers').select('id').execute()).toHaveLength(3);
    expect(await newsletter.store.db.selectFrom('deliveries').select('id').execute()).toHaveLength(3);
    expect(await newsletter.store.db.selectFrom('consent_records').select('id').execute()).toHaveLength(60);
  });
});

test.each([
  ['an empty address', { email: '  ' }, 'email', 'Please enter your email address.'],
  ['no address', { email: 'anna at example' }, 'email', 'Please enter a valid email address.'],
  ['two addresses in one', { email: 'anna,ben@example.org' }, 'email', 'Please enter a valid email address.'],
  [
    'an address with a hidden character',
    { email: 'anna\u0000@example.org' },
    'email',
    'Please enter a valid email address.',
  ],
  ['more than a domain', { email: 'bob@example.org/evil.x' }, 'email', 'Please enter a valid email address.'],
  ['a role that is not offered', { role: 'Astronaut' }, 'role', 'expected one of the roles offered, or an empty text'],
  [
    'a source that is no form',
    { source: 'Elsewhere' },
    'source',
    'expected a form, or a form, " | " and campaign parameters',
  ],
  ['a name', { name: 'Anna' }, 'name', 'expected an empty text'],
  ['a field nobody asked for', { admin: true }, 'admin', undefined],
  [
    'a consent wording that was never shown',
    { consent: 'abcdef012345' },
    'consent',
    'Please consent to receiving updates to continue.',
  ],
])('%s is refused and the field is named', async (_, fields, field, detail) => {
  const { url, newsletter } = await startNewsletter(await freshStore('SQLite'));
  const answer = await signUp(url, fields);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = await answer.json();
  expect(problem).toMatchObject({ status: 400, field, ...(detail && { detail }) });
  expect(await newsletter.store.db.selectFrom('subscribers').select('id').execute()).toEqual([]);
});

test('JSON that says it is plain text is taken, since a no-cors request can send nothing else', async () => {
  const { url, newsletter } = await startNewsletter(await freshStore('SQLite'));
  const answer = await signUp(url, {}, { 'Content-Type': 'text/plain;charset=UTF-8' });
  expect(answer.status).toBe(200);
  expect(await newsletter.store.db.selectFrom('subscribers').select('id').execute()).toHaveLength(1);
});

test('other types, broken JSON, other bytes than UTF-8 and bodies over 8 kB are refused', async () => {
  const { url } = await startNewsletter(await freshStore('SQLite'));
  const post = (body: BodyInit, type: string) =>
    fetch(url + NEWSLETTER_PATH, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
      duplex: 'half',
    } as RequestInit);
  expect((await post('<email/>', 'application/xml')).status).toBe(415);
  expect((await post('{"email":', 'application/json')).status).toBe(400);
  expect((await post('[]', 'application/json')).status).toBe(400);
  expect((await post(`"${'x'.repeat(8191)}"`, 'application/json')).status).toBe(413);
  const latin1 = Buffer.from('{"email":"j\u00F6rg@example.org","role":"","source":"Footer"}', 'latin1');
  expect((await post(latin1, 'application/json')).status).toBe(400);
  const endless = new Response('x'.repeat(9000)).body;
  expect((await post(endless as ReadableStream, 'application/json')).status).toBe(413);
});

describe('without JavaScript', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const post = (url: string, fields: Record<string, string>, redirect: RequestRedirect = 'follow') =>
    fetch(url + NEWSLETTER_PATH, { method: 'POST', headers: browser, body: new URLSearchParams(fields), redirect });

  test.each([
    ['from a page that may not post here', 403, 'Email', { Origin: 'https://evil.example' }],
    ['that is too long', 413, 'x'.repeat(9000), {}],
  ])('a form %s is answered by a page', async (_, status, email, headers) => {
    const { url } = await startNewsletter(await freshStore('SQLite'));
    const answer = await fetch(url + NEWSLETTER_PATH, {
      method: 'POST',
      headers: { ...browser, ...headers },
      body: new URLSearchParams({ email, source: 'Footer' }),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toMatch(/Please try again here|at most 8 kB/);
  });

  test('a sign-up with the box ticked leads to the confirmation page', async () => {
    const { url, newsletter } = await startNewsletter(await freshStore('SQLite'));
    const consent = newsletter.currentWordings.Founder;
    const fields = { email: 'anna@example.org', role: 'Other', source: 'Founder', website: '', consent };
    expect((await post(url, fields, 'manual')).status).toBe(303);
    const answer = await post(url, fields);
    // A page of its own: coming back to it asks for nothing to be sent again.
    expect([answer.status, answer.redirected, new URL(answer.url).search]).toEqual([200, true, '']);
    expect(await answer.text()).toContain(content.home.earlySignUp.doneHeading);
    const { headers } = await fetch(answer.url);
    expect([headers.get('x-robots-tag'), headers.get('cache-control')]).toEqual(['noindex', 'no-store']);
    expect(await newsletter.store.db.selectFrom('subscribers').select(['address', 'role']).execute()).toEqual([
      { address: 'anna@example.org', role: 'Other' },
    ]);
  });

  test('an unticked box leads to a page that says so and keeps what was typed', async () => {
    const { url } = await startNewsletter(await freshStore('SQLite'));
    const answer = await post(url, { email: 'anna@example.org', role: '', source: 'Footer', website: '' });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('Please consent to receiving updates to continue.');
    expect(page).toContain('value="anna@example.org"');
  });
});
