import { expect, test } from 'vitest';
import { readMoments } from '#desk/timeline.tsx';
import { correctPerson } from '#newsletter/subscribers/correct-person.ts';
import { FROM_DESK, undoUnsubscribe } from '#newsletter/subscribers/undo-unsubscribe.ts';
import { readSubscriber } from '#newsletter/subscribers/read-subscribers.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { searchPeople } from '#newsletter/subscribers/search-people.ts';
import { onEachStore, signUp, startNewsletter } from '../setup/running-newsletter.ts';

onEachStore('a search for people', (name) => {
  test('finds a domain in Unicode by its letters and by its punycode', async () => {
    const { url, store, newsletter } = await startNewsletter({}, name);
    await signUp(url, { email: 'Jo@BÜCHER-Laden.example' });
    await signUp(url, { email: 'ida@xn--bcher-laden-thb.example' });
    await signUp(url, { email: 'max@laden.example' });
    const find = async (part: string) => {
      const { people } = await searchPeople(store.db, { part, secret: newsletter.secret }, 1);
      return people.map(({ email }) => email).toSorted();
    };
    const both = ['Jo@bücher-laden.example', 'ida@bücher-laden.example'];
    for (const part of ['bücher', 'BÜCH', '\u200Bbu\u0308cher-l', 'xn--bcher-laden']) {
      expect([part, await find(part)]).toEqual([part, both]);
    }
    expect(await find('jo@bü')).toEqual(both.slice(0, 1));
  });

  test('finds the person whose mailbox has another spelling', async () => {
    const { url, store, newsletter } = await startNewsletter({}, name);
    await signUp(url, { email: 'anna.berg@gmail.com' });
    await signUp(url, { email: 'ben@example.org' });
    const { people } = await searchPeople(
      store.db,
      { part: 'AnnaBerg+news@googlemail.com', secret: newsletter.secret },
      1,
    );
    expect(people.map(({ email }) => email)).toEqual(['anna.berg@gmail.com']);
  });
});

test('lets the owner undo their own unsubscription of a person for an hour, but never one by the person', async () => {
  const { url, store, env, people } = await startNewsletter({});
  await signUp(url);
  const [{ id } = { id: '' }] = await people();
  const now = Date.now();
  await unsubscribe(store, id, FROM_DESK, env, now);
  expect(await undoUnsubscribe(store, id, env, now + 3_600_000)).toBe(false);
  expect(await undoUnsubscribe(store, id, env, now + 3_599_000)).toBe(true);
  expect(await people()).toMatchObject([{ state: 'subscribed' }]);
  const person = await store.db.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow();
  const [latest] = await readMoments(store.db, (await readSubscriber(store.db, person))!);
  expect(latest).toMatchObject({ what: 'Back on the list' });
  await unsubscribe(store, id, 'unsubscribe link', env, now + 3_599_500);
  expect(await undoUnsubscribe(store, id, env, now + 3_599_600)).toBe(false);
  expect(await people()).toMatchObject([{ state: 'unsubscribed' }]);
});

test('corrects a role even if the source is longer than the owner may type', async () => {
  const { url, store, people } = await startNewsletter({});
  const source = `Footer | ${['source', 'medium', 'campaign', 'term', 'content'].map((each) => `utm_${each}=${'x'.repeat(500)}`).join('&')}`;
  await signUp(url, { source });
  const [{ id } = { id: '' }] = await people();
  await correctPerson(store, id, { role: 'Founder', first_source: source });
  expect(await people()).toMatchObject([{ role: 'Founder', first_source: source }]);
  const tooLong = correctPerson(store, id, { role: 'Other', first_source: 'y'.repeat(2001) });
  await expect(tooLong).rejects.toThrow('Came from: expected one line of at most 2000 characters.');
  expect(await people()).toMatchObject([{ role: 'Founder', first_source: source }]);
});
