import { describeDecoys } from '#newsletter/subscribers/decoys.ts';
import { describe, expect, test } from 'vitest';
import { makeConsentWordings } from '#content/consent/consent-wordings.ts';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { onEachStore, signUp, startNewsletter } from '../setup/running-newsletter.ts';
import { content } from '../../test-content.ts';

onEachStore('a sign-up', (name) => {
  test('is stored with its consent and deliveries before the response', async () => {
    const variables = { SHEET_URL: 'https://sheet.example/exec', NOTIFY_TO: 'owner@agency.example' };
    const { url, store, people, deliveries } = await startNewsletter(variables, name);
    const source = 'Founder | utm_source=linkedin&utm_medium=post';
    const response = await signUp(url, { email: ' Anna@EXAMPLE.org ', role: 'Founder', source });
    expect(response.status).toBe(200);
    expect(await people()).toMatchObject([
      {
        email: 'Anna@example.org',
        normalised_email: 'anna@example.org',
        role: 'Founder',
        first_source: source,
        state: 'subscribed',
      },
    ]);
    const consent = await store.db
      .selectFrom('consent_records')
      .innerJoin('consent_wordings', 'version', 'wording_version')
      .select(['event', 'form', 'source', 'wording'])
      .execute();
    const wording = 'I consent to receiving occasional updates from the agency. *';
    expect(consent).toEqual([{ event: 'given', form: 'Founder', source, wording }]);
    expect((await deliveries()).map(({ kind }) => kind).toSorted()).toEqual(['notice', 'sheet-row', 'welcome']);
  });

  test('results in one subscriber and one email if it is sent many times at once', async () => {
    const { url, store, people, deliveries } = await startNewsletter({ TRUSTED_PROXY_HEADER: 'X-Client' }, name);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => signUp(url, {}, { 'X-Client': `198.51.100.${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await people()).toHaveLength(1);
    expect(await deliveries()).toHaveLength(1);
    expect(await store.db.selectFrom('consent_records').select('event').execute()).toHaveLength(1);
  });
});

test('gives a known person’s sign-up the same response, and sends no email', async () => {
  const { url, store, people, deliveries } = await startNewsletter();
  const started = performance.now();
  const answers = [
    await signUp(url),
    await signUp(url),
    await signUp(url, { email: 'ANNA@EXAMPLE.ORG' }),
    await signUp(url, { email: 'robot@example.org', website: 'https://spam.example' }),
  ];
  // Each takes at least a step of 50 ms, so that its time reveals nothing.
  expect(performance.now() - started).toBeGreaterThan(4 * 48);
  const replies = await Promise.all(
    answers.map(async (response) => [response.status, [...response.headers.keys()], await response.text()]),
  );
  for (const reply of replies) expect(reply).toEqual(replies[0]);
  expect(await people()).toMatchObject([{ email: 'anna@example.org' }]);
  expect(await describeDecoys(store.db, Date.now())).toMatch(/^1 sign-up was taken for a robot this week/);
  expect(await deliveries()).toMatchObject([{ kind: 'welcome' }]);
  // Sending it over and over extends nothing, and fills no table.
  expect(await store.db.selectFrom('consent_records').select('event').execute()).toHaveLength(1);
  expect((await people())[0]!.engaged_at).toBe((await people())[0]!.created_at);
});

test('rejects a consent wording that was never shown, and stores nothing', async () => {
  const { url, people } = await startNewsletter();
  const response = await signUp(url, { consent: 'abcdef012345' });
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const detail = 'Please consent to receiving updates to continue.';
  expect(await response.json()).toMatchObject({ status: 400, field: 'consent', detail });
  expect(await people()).toEqual([]);
});

test('records the wording that a form on a static host sends, if this server ever had it', async () => {
  const SITE = 'https://www.agency.example';
  const { url, store, command } = await startNewsletter({ ALLOWED_ORIGINS: SITE });
  const headers = { Origin: SITE, 'Content-Type': 'text/plain;charset=UTF-8', 'Sec-Fetch-Site': 'cross-site' };
  const { Footer } = makeConsentWordings(content.home);
  for (const consent of [Footer.version, 'abcdef012345']) {
    expect((await signUp(url, { email: `anna${consent}@example.org`, consent }, headers)).status).toBe(200);
  }
  const records = store.db
    .selectFrom('consent_records')
    .leftJoin('consent_wordings', 'version', 'wording_version')
    .select(['evidence', 'wording'])
    .orderBy('at');
  expect(await records.execute()).toEqual([
    { evidence: 'ticked box', wording: Footer.wording },
    { evidence: 'ticked box', wording: null },
  ]);
  const { output } = await command('show', 'annaabcdef012345@example.org');
  expect(output).toContain('given (ticked box)');
  expect(output).not.toContain('null');
});

test('rejects other types, broken JSON, invalid UTF-8 and bodies over 8 kB', async () => {
  const { url } = await startNewsletter();
  const post = async (body: BodyInit, type = 'application/json') => {
    const options = { method: 'POST', body, headers: { 'Content-Type': type }, duplex: 'half' } as RequestInit;
    return (await fetch(url + NEWSLETTER_PATH, options)).status;
  };
  expect(await post('<email/>', 'application/xml')).toBe(415);
  expect(await post('{"email":')).toBe(400);
  expect(await post('[]')).toBe(400);
  expect(await post(`"${'x'.repeat(8191)}"`)).toBe(413);
  expect(await post(Buffer.from('{"email":"j\u00F6rg@example.org","role":"","source":"Footer"}', 'latin1'))).toBe(400);
  expect(await post(new Response('x'.repeat(9000)).body!)).toBe(413);
});

test('redirects somebody who opens the form’s URL to the site, with the campaign', async () => {
  const { url } = await startNewsletter();
  const response = await fetch(`${url}${NEWSLETTER_PATH}?utm_source=card`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/?utm_source=card']);
});

describe('without JavaScript', () => {
  const post = (url: string, fields: Record<string, string>, options: RequestInit = {}) =>
    fetch(url + NEWSLETTER_PATH, {
      method: 'POST',
      body: new URLSearchParams({ source: 'Footer', ...fields }),
      ...options,
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...options.headers },
    });

  test.each([
    ['from a page that may not post here', 403, 'Email', { Origin: 'https://evil.example' }],
    ['that is too long', 413, 'x'.repeat(9000), {}],
  ])('responds to a form %s with a page', async (_, status, email, headers) => {
    const { url } = await startNewsletter();
    const response = await post(url, { email }, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toMatch(/Please try again here|at most 8 kB/);
  });

  test('redirects a sign-up with the box ticked to the confirmation page', async () => {
    const { url, newsletter, people } = await startNewsletter();
    const consent = newsletter.currentWordings.Founder;
    const fields = { email: 'anna@example.org', role: 'Other', source: 'Founder', website: '', consent };
    expect((await post(url, fields, { redirect: 'manual' })).status).toBe(303);
    const response = await post(url, fields);
    // After a redirect, so going back doesn't ask to send the form again.
    expect([response.status, response.redirected, new URL(response.url).search]).toEqual([200, true, '']);
    expect(await response.text()).toContain(content.home.earlySignUp.doneHeading);
    const { headers } = await fetch(response.url);
    expect([headers.get('x-robots-tag'), headers.get('cache-control')]).toEqual(['noindex', 'private, no-cache']);
    expect(await people()).toMatchObject([{ email: 'anna@example.org', role: 'Other' }]);
  });
});

test('records the consent of another spelling of somebody on the list, and adds no second person', async () => {
  const running = await startNewsletter();
  for (const email of ['anna.berg@gmail.com', 'annaberg@gmail.com', 'anna.berg@googlemail.com']) {
    expect((await signUp(running.url, { email })).status).toBe(200);
  }
  expect(await running.people()).toMatchObject([{ email: 'anna.berg@gmail.com', state: 'subscribed' }]);
  // At most one is recorded a day.
  expect(await running.store.db.selectFrom('consent_records').select('id').execute()).toHaveLength(1);
});
