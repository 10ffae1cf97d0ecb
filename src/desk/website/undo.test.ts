import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { listContentFiles } from '#content/parse-content.ts';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { openDesk as open, value, window } from '../../../test/open-website.ts';

// Each test reads and checks all of content/ many times.
vi.setConfig({ testTimeout: 30_000 });

const copy = copyContentForEachTest();
const openDesk = () => open(copy.folder);

describe('the Undo button reverses', () => {
  const HEADLINE = 'home.hero.headline';
  const press = async ({ app, read }: Awaited<ReturnType<typeof openDesk>>, location: string, at: string) => {
    const page = await read(location);
    const button = page.querySelector(`${at} .undo button`)!;
    const body = new URLSearchParams(
      [...new window.FormData(button.closest('form') as never)].map(([name, each]) => [name, String(each)]),
    );
    return app.request(button.getAttribute('formaction')!, { method: 'POST', body });
  };

  test('removing an entry, after which the focus is on the next one', async () => {
    const desk = await openDesk();
    const before = await desk.read('/desk/website/questions');
    const first = value(before, 'faq.items.0.question');
    const removed = await desk.send('/desk/website/questions', {}, '?action=remove&list=faq.items&index=0');
    const location = removed.headers.get('Location')!;
    expect(location).toMatch(/#faq\.items\.0$/);
    expect(value(await desk.read(location), 'faq.items.0.question')).not.toBe(first);
    const undone = await press(desk, location, '[data-key="faq.items"]');
    expect(undone.headers.get('Location')).toBe('/desk/website/questions#faq.items');
    expect(value(await desk.read('/desk/website/questions'), 'faq.items.0.question')).toBe(first);
  });

  test('discarding changes, without touching those of another part', async () => {
    const desk = await openDesk();
    await desk.send('/desk/website/first-screen', { [HEADLINE]: 'New words' });
    const dropped = await desk.send('/desk/website/first-screen', {}, 'revert');
    await desk.send('/desk/website/contact', { 'home.contact.heading': 'Later words' });
    await press(desk, dropped.headers.get('Location')!, 'form#part');
    expect(value(await desk.read('/desk/website/first-screen'), HEADLINE)).toBe('New words');
    expect(value(await desk.read('/desk/website/contact'), 'home.contact.heading')).toBe('Later words');
  });

  test('replacing a picture', async () => {
    const desk = await openDesk();
    const page = '/desk/website/pictures';
    const readShown = async () => (await desk.read(page)).querySelector('img')!.getAttribute('src');
    const give = async (background: string) => {
      const body = new FormData();
      for (const [field, each] of Object.entries({ field: 'picture.portrait', action: 'picture' }))
        body.set(field, each);
      const picture = await sharp({ create: { width: 900, height: 1200, channels: 3, background } })
        .png()
        .toBuffer();
      body.set('picture.portrait', new File([new Uint8Array(picture)], 'founder.png'));
      return desk.app.request(page, { method: 'POST', body });
    };
    await give('#123');
    const first = await readShown();
    const replaced = await give('#456');
    expect(await readShown()).not.toBe(first);
    const undone = await press(desk, replaced.headers.get('Location')!, 'form.picture');
    expect(undone.headers.get('Location')).toBe(`${page}#picture.portrait`);
    expect(await readShown()).toBe(first);
  });

  test('discarding a new page', async () => {
    const desk = await openDesk();
    await desk.app.request('/desk/website', { method: 'POST', body: new URLSearchParams({ 'new-page': 'Terms' }) });
    const dropped = await desk.send('/desk/website/pages/terms', { 'pages/terms.title': 'Our terms' }, 'revert');
    expect((await desk.app.request('/desk/website/pages/terms')).status).toBe(404);
    await press(desk, dropped.headers.get('Location')!, 'main');
    expect(value(await desk.read('/desk/website/pages/terms'), 'pages/terms.title')).toBe('Our terms');
  });
});

test('fills the draft with an earlier version’s text', async () => {
  const { app, read, store } = await open(copy.folder, { overlay: {}, misfits: [] });
  const entries = listContentFiles(copy.folder).map((file) => [file, readFileSync(join(copy.folder, file), 'utf8')]);
  const files: Record<string, string> = Object.fromEntries(entries);
  files['home.yaml'] = files['home.yaml']!.replace(/headline: .*/, 'headline: Earlier words');
  const version = { files: JSON.stringify(files) };
  await store.db.updateTable('content_versions').set(version).execute();
  const body = new URLSearchParams({ action: 'go-back', version: '1' });
  await app.request('/desk/website/publish', { method: 'POST', body });
  const changes = [...(await read('/desk/website')).querySelectorAll('.changes a, .changes ins')];
  expect(changes.map(({ textContent }) => textContent)).toEqual(['First screen · Headline', 'Earlier words']);
});

test('warns before publishing if visitors will be asked about cookies again', async () => {
  const { read, send } = await openDesk();
  await send('/desk/website/contact', { 'home.contact.heading': 'Other words' });
  const readForm = async () => (await read('/desk/website')).querySelector('.publish')?.textContent;
  expect(await readForm()).not.toContain('asked about cookies again');
  const tag = '{ id: a, category: statistics, kind: ga4, provider: A, purpose: B, measurementId: G-1 }';
  copy.change('agency.yaml', 'tags: []', `tags: [${tag}]`);
  expect(await readForm()).toContain('Every visitor will be asked about cookies again');
});

test('names, before publishing, what the pictures of link previews will leave out', async () => {
  const { read, send } = await openDesk();
  await send('/desk/website/first-screen', { 'home.hero.headline': 'We hire in 東京 🎉' });
  const form = (await read('/desk/website')).querySelector('.publish')?.textContent;
  expect(form).toContain('The pictures in link previews will leave out 東 京 🎉, which none of our fonts has.');
});

test('previews the portrait in the page’s crop, and explains on the Pictures page what can’t be drawn from a mark', async () => {
  const { app, read } = await openDesk();
  const give = (key: string, bytes: BlobPart, name: string) => {
    const body = new FormData();
    for (const [field, each] of Object.entries({ field: key, action: 'picture' })) body.set(field, each);
    body.set(key, new File([bytes], name));
    return app.request('/desk/website/pictures', { method: 'POST', body });
  };
  const draw = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
  await give('picture.portrait', new Uint8Array(await draw(1000, 2000)), 'tall.png');
  await give('picture.mark', new Uint8Array(await draw(1000, 200)), 'wide.png');
  const page = await read('/desk/website/pictures');
  expect(page.textContent).toContain('show the first letter of your name instead');
  const [, name] = /picture\/([0-9a-f]+\.\w+)/.exec(page.querySelector('img')!.getAttribute('src')!)!;
  const portrait = await app.request(`/desk/website/portrait/${name}`);
  const { width, height } = await sharp(Buffer.from(await portrait.arrayBuffer())).metadata();
  expect(width / height).toBeCloseTo(424 / 508, 2);
});
