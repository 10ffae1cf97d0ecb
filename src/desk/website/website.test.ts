import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HTMLFormElement } from 'happy-dom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DESIGN_COLOURS } from '#shared/design-tokens.ts';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { content as testContent } from '../../../test/test-content.ts';
import { document, openDesk, value, window } from '../../../test/open-website.ts';
import { readPicture } from '#newsletter/updates/stored-pictures.ts';
import { readDraft } from '#publishing/content-drafts.ts';
import { FormState } from '../ui.tsx';
import { NewPageForm } from './pages.tsx';

// Each test reads and checks all of content/ many times.
vi.setConfig({ testTimeout: 30_000 });

const copy = copyContentForEachTest();

test('lists the owner’s changes with the old text and the new, and doesn’t change the files', async () => {
  const { read, send } = await openDesk(copy.folder);
  const before = readFileSync(join(copy.folder, 'home.yaml'), 'utf8');
  expect((await read('/desk/website')).querySelector('h1')?.textContent).toBe('Everything you wrote is live');
  await send('/desk/website/first-screen', { 'home.hero.headline': 'New <b>words</b>' });
  const page = await read('/desk/website');
  expect(page.querySelector('h1')?.textContent).toBe('One change is not live yet');
  expect(page.querySelector('.changes ins')?.textContent).toBe('New <b>words</b>');
  expect(page.querySelector('.changes a')?.textContent).toBe('First screen · Headline');
  expect([...page.querySelectorAll('.rows > div')].filter((row) => /Not live yet/.test(row.textContent))).toHaveLength(
    1,
  );
  expect(readFileSync(join(copy.folder, 'home.yaml'), 'utf8')).toBe(before);
});

test('adds, moves and removes questions without a script, and opens an empty one', async () => {
  const { read, send } = await openDesk(copy.folder);
  const first = value(await read('/desk/website/questions'), 'faq.items.0.question');
  await send(
    '/desk/website/questions',
    { 'faq.items.0.answer': 'Another answer' },
    '?action=down&list=faq.items&index=0',
  );
  let page = await read('/desk/website/questions');
  expect(value(page, 'faq.items.1.question')).toBe(first);
  expect(value(page, 'faq.items.1.answer')).toBe('Another answer');
  const count = Number(value(page, 'faq.items.count'));
  await send('/desk/website/questions', {}, `?action=add&list=faq.items&index=${count}`);
  page = await read('/desk/website/questions');
  const entries = [...page.querySelectorAll('.entries details')];
  expect(entries.map((entry) => entry.hasAttribute('open'))).toEqual([
    ...Array.from({ length: count }, () => false),
    true,
  ]);
  await send('/desk/website/questions', {}, `?action=remove&list=faq.items&index=${count}`);
  await send('/desk/website/questions', {}, 'revert');
  page = await read('/desk/website/questions');
  expect(value(page, 'faq.items.0.question')).toBe(first);
  expect((await read('/desk/website')).querySelector('h1')?.textContent).toBe('Everything you wrote is live');
});

test('shows an error at its field, and names it as the field’s description', async () => {
  const { read, send } = await openDesk(copy.folder);
  await send('/desk/website/name', { 'agency.legalName': '' });
  const page = await read('/desk/website/name');
  const field = page.querySelector('[name="agency.legalName"]')!;
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById('agency.legalName-error')?.textContent).toBe('This field is empty.');
  expect(field.getAttribute('aria-describedby')).toContain('agency.legalName-error');
  expect((await read('/desk/website')).querySelector('.changes .error')?.textContent).toBe('This field is empty.');
});

test('shows the colour that the site uses in place of an empty one', async () => {
  const deep = (await (await openDesk(copy.folder)).read('/desk/website/colours')).querySelector(
    '[name="brand.brand.deep"]',
  );
  expect(deep?.getAttribute('placeholder')).toBe(DESIGN_COLOURS.brand.deep);
});

test('reports a broken link at the page’s text', async () => {
  const { app, read, send } = await openDesk(copy.folder);
  const write = async (text: string) => {
    await send('/desk/website/pages/house-rules', { 'pages/house-rules.text': `## Rules\n\n${text}` });
    const page = await read('/desk/website/pages/house-rules');
    return page.querySelector('[id="pages/house-rules.text-error"]')?.textContent;
  };
  expect(await write('[Us](/) and [data](/privacy-policy)')).toBeUndefined();
  expect(await write('[Us](www.quillharbour.test)')).toMatch(/^Link: expected https:/);
  await send('/desk/website/pages/house-rules', {}, 'revert');
  await send('/desk/website/privacy-policy', { 'privacy-policy.text': '## Cookies\n\n[Rules](/house-rules)' });
  expect((await read('/desk/website')).querySelector('.changes .error')).toBeNull();
  await app.request('/desk/website/pages/house-rules', {
    method: 'POST',
    body: new URLSearchParams({ action: 'remove-page', field: 'page:pages/house-rules' }),
  });
  const removed = await read('/desk/website/pages/house-rules');
  expect(removed.textContent).toContain('This page will be removed when you publish. Keep it');
  expect((await read('/desk/website')).querySelector('.changes .error')?.textContent).toContain('/house-rules');
});

test('shows both versions of a field that changed in the file and in the draft, and lets the owner choose', async () => {
  const { read, send } = await openDesk(copy.folder);
  await send('/desk/website/first-screen', { 'home.hero.headline': 'Mine' });
  copy.change('home.yaml', /headline: .*/, 'headline: Theirs');
  expect((await read('/desk/website')).textContent).toContain('This has been changed elsewhere in the meantime.');
  expect((await read('/desk/website/first-screen')).textContent).toContain('It is now: “Theirs”');
  await send('/desk/website/first-screen', {}, '?action=keep&field=home.hero.headline');
  expect(value(await read('/desk/website/first-screen'), 'home.hero.headline')).toBe('Mine');
  await send('/desk/website/first-screen', { 'home.hero.headline': 'Mine too' });
  copy.change('home.yaml', /headline: .*/, 'headline: Theirs again');
  await send('/desk/website/first-screen', {}, '?action=use-live&field=home.hero.headline');
  expect(value(await read('/desk/website/first-screen'), 'home.hero.headline')).toBe('Theirs again');
});

test('lists the fields that no longer fit the software, and those whose default text has changed since', async () => {
  const { read } = await openDesk(copy.folder, {
    overlay: { 'home.hero.headline': { value: 'Mine', over: 'The default of an earlier release' } },
    misfits: [{ key: 'faq.heading', message: 'this field is empty' }],
  });
  const notices = [...(await read('/desk/website')).querySelectorAll('.notice')];
  const links = notices.map((notice) => [...notice.querySelectorAll('a')].map(({ textContent }) => textContent));
  expect(links).toEqual([['FAQ · Heading'], ['First screen · Headline']]);
  expect(notices[0]?.textContent).toContain('this field is empty');
});

test('has a page for every part, on which each field has its own label', { timeout: 60_000 }, async () => {
  const { read } = await openDesk(copy.folder);
  const paths = [...(await read('/desk/website')).querySelectorAll('.rows a')].map((link) =>
    link.getAttribute('href')!,
  );
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const page = await read(path);
    const fields = [...page.querySelectorAll('input:not([type="hidden"], [type="checkbox"]), textarea, select')];
    expect(fields.length + page.querySelectorAll('.entries').length).toBeGreaterThan(0);
    // Otherwise Firefox would keep old hidden fields after a reload.
    expect([...page.querySelectorAll('form')].map((form) => form.getAttribute('autocomplete'))).not.toContain(null);
    const labelled = new Set([...page.querySelectorAll('label')].map((label) => label.getAttribute('for')));
    const unnamed = fields.filter(({ id }) => !labelled.has(id));
    expect(unnamed.map(({ id }) => id)).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  }
});

test('adds a page under its name, saves its text and discards it', async () => {
  const { app, read, send, results } = await openDesk(copy.folder);
  const add = (name: string) =>
    app.request('/desk/website', {
      method: 'POST',
      body: new URLSearchParams({ 'new-page': name, field: 'new-page' }),
    });
  const path = '/desk/website/pages/terms-of-busines-co';
  expect((await add('Terms of Busînes Co')).headers.get('Location')).toBe(path);
  expect((await read('/desk/website')).querySelector('.changes')?.textContent).toContain('A new page');
  const text = '## Fees\r\n\r\nA share of <b>the pay</b>.';
  await send(path, { 'pages/terms-of-busines-co.title': 'Terms', 'pages/terms-of-busines-co.text': text });
  let page = await read(path);
  expect(value(page, 'pages/terms-of-busines-co.text')).toBe(text.replaceAll('\r', ''));
  expect([...page.querySelectorAll('.field .error')].map(({ id }) => id)).toEqual([
    'pages/terms-of-busines-co.description-error',
  ]);
  expect((await add('Terms of busines-co')).headers.get('Location')).toMatch(/result=/);
  expect((await add('API')).headers.get('Location')).toMatch(/result=/);
  expect((await add('条款 2027')).headers.get('Location')).toMatch(/result=/);
  expect([...results.values()].flatMap(({ error }) => error?.message ?? [])).toEqual([
    'There is already a page at /terms-of-busines-co. Give this one another name.',
    'The path /api is taken. Give the page another name.',
    'The page’s address needs Latin letters. Use some in the name; you can change the heading afterwards.',
  ]);
  await send(path, {}, 'revert');
  page = await read('/desk/website');
  expect(page.querySelector('h1')?.textContent).toBe('Everything you wrote is live');
  expect((await app.request(path)).status).toBe(404);
});

test('rejects a new page at an old address, and reports an old address that leads nowhere at its field', async () => {
  const { app, read, results } = await openDesk(copy.folder);
  copy.change('pages.yaml', /$/, '\nredirects:\n  - from: /old-terms/\n    to: /terms-of-bussiness\n');
  const page = await read('/desk/website/menu');
  expect(page.querySelector('[id="pages.redirects.0.from-error"]')?.textContent).toMatch(
    /\/terms-of-bussiness, where the site has no page and no file\.$/,
  );
  testContent.pages.redirects = [{ from: '/old-terms', to: '/' }];
  onTestFinished(() => void (testContent.pages.redirects = []));
  const body = new URLSearchParams({ 'new-page': 'Old terms', field: 'new-page' });
  await app.request('/desk/website', { method: 'POST', body });
  expect([...results.values()][0]?.error?.message).toMatch(/^\/old-terms leads to \/\. Remove it from Old addresses/);
});

test('opens the form for a new page to show why its name can’t be used', () => {
  const error = { field: 'new-page', message: 'Type the page’s name first.', fields: {} };
  const form = createElement(FormState.Provider, { value: { error } }, createElement(NewPageForm));
  document.body.innerHTML = renderToStaticMarkup(form);
  expect(document.querySelector('details[open] .error')?.textContent).toBe('Type the page’s name first.');
});

test('rejects a picture that the site cannot show at its field, and keeps a valid one until it is published', async () => {
  const { app, results, read, store } = await openDesk(copy.folder);
  const give = async (key: string, bytes: BlobPart, name: string) => {
    const body = new FormData();
    body.set('field', key);
    body.set('action', 'picture');
    body.set('field', key);
    body.set(key, new File([bytes], name));
    await app.request('/desk/website/pictures', { method: 'POST', body });
    const { error } = [...results.values()].at(-1) ?? {};
    results.clear();
    return error;
  };
  const drawing = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`;
  const refused = await give('picture.mark', drawing('<path onload="alert(1)" d="M0 0h9v9z"/>'), 'mark.svg');
  expect(refused).toMatchObject({ field: 'picture.mark', message: expect.stringContaining('contains a script') });
  expect(await give('picture.mark', drawing('<text>L</text>'), 'a.svg')).toBeDefined();
  expect((await give('picture.portrait', 'not a picture', 'me.jpg'))?.message).toMatch(/^me\.jpg: expected a picture/);
  expect((await read('/desk/website')).querySelector('h1')?.textContent).toBe('Everything you wrote is live');

  expect(await give('picture.mark', drawing('<path d="M0 0h9v9z"/>'), 'any.name')).toBeUndefined();
  const shown = (await read('/desk/website/pictures'))
    .querySelector('img[alt="Your mark, as it is now"]')
    ?.getAttribute('src');
  const picture = await app.request(shown!);
  expect([picture.headers.get('Content-Type'), await picture.text()]).toEqual([
    expect.stringContaining('image/svg+xml'),
    drawing('<path d="M0 0h9v9z"/>'),
  ]);
  const { value: name } = (await readDraft(store.db))['picture.mark']!;
  expect(await readPicture(store.db, name as string)).toEqual(Buffer.from(drawing('<path d="M0 0h9v9z"/>')));
});

test('keeps text that another window has saved when this window sends its fields again', async () => {
  const { app, read } = await openDesk(copy.folder);
  const page = await read('/desk/website/first-screen');
  const form = page.querySelector('form#part') as unknown as HTMLFormElement;
  const own = new URLSearchParams([...new window.FormData(form)].map(([name, each]) => [name, String(each)]));
  const other = new URLSearchParams(own);
  const send = async (body: URLSearchParams) => {
    const response = await app.request('/desk/website-draft/first-screen', { method: 'POST', body });
    body.set('draft', response.headers.get('Desk-Draft')!);
  };
  other.set('home.hero.headline', 'Written in the other window');
  await send(other);
  for (const words of ['Own', 'Own words']) {
    own.set('home.hero.pitch', words);
    await send(own);
  }
  const after = await read('/desk/website/first-screen');
  expect(value(after, 'home.hero.headline')).toBe('Written in the other window');
  expect(value(after, 'home.hero.pitch')).toBe('Own words');
});

test('explains why the database can’t save a draft, and keeps the previous one', async () => {
  const { app, read, store } = await openDesk(copy.folder);
  const type = async (words: string) => {
    const page = await read('/desk/website/first-screen');
    const form = page.querySelector('form#part') as unknown as HTMLFormElement;
    const body = new URLSearchParams([...new window.FormData(form)].map(([name, each]) => [name, String(each)]));
    body.set('home.hero.headline', words);
    return app.request('/desk/website-draft/first-screen', { method: 'POST', body });
  };
  await type('Kept');
  vi.spyOn(store, 'transaction').mockRejectedValueOnce(new Error('database or disk is full'));
  const response = await type('Lost');
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.stringMatching(/^Not saved: .*full.*\. Your text is still in this browser\.$/),
  ]);
  expect(value(await read('/desk/website/first-screen'), 'home.hero.headline')).toBe('Kept');
});
