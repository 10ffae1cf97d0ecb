import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HTMLElement, type HTMLFormElement, type HTMLInputElement, Window } from 'happy-dom';
import { Hono } from 'hono';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import type { Answer, Desk } from '../desk-types.ts';
import { addWebsite } from './website.tsx';

// Each reads and checks all of content/ many times.
vi.setConfig({ testTimeout: 30_000 });

const copy = copyContentForEachTest();

const window = new Window();
const { document } = window;

/** The desk's pages as a browser without scripts uses them. */
function openDesk() {
  const answers = new Map<string, Answer>();
  const places = { content: copy.folder };
  const app = new Hono();
  app.use(async (context, next) => {
    context.setRenderer((body, { title }) =>
      context.html(renderToStaticMarkup(createElement('main', null, createElement('h1', null, title), body))),
    );
    await next();
  });
  addWebsite(app, {
    places,
    env: { DATA_DIR: '/data' },
    answers,
    drafts: join(copy.folder, 'drafts'),
  } as unknown as Desk);
  const read = async (path: string) => {
    const response = await app.request(path);
    expect(response.status).toBe(200);
    document.body.innerHTML = await response.text();
    return document.body;
  };
  /** Sends the page's form with some fields changed, by one of its buttons. */
  const send = async (path: string, changes: Record<string, string>, act = 'save') => {
    const page = await read(path);
    const form = page.querySelector('form') as unknown as HTMLFormElement;
    for (const [name, value] of Object.entries(changes)) {
      const field = form.elements.namedItem(name) as HTMLInputElement | null;
      if (field === null) throw new Error(`There is no field ${name}`);
      field.value = value;
    }
    const buttons = [...form.querySelectorAll('button[name="act"]')];
    expect(buttons.map((button) => button.getAttribute('value'))).toContain(act);
    const body = new URLSearchParams([...new window.FormData(form)].map(([name, each]) => [name, String(each)]));
    body.set('act', act);
    return app.request(path, { method: 'POST', body });
  };
  return { app, answers, read, send };
}

const value = (page: HTMLElement, name: string) =>
  (page.querySelector(`[name="${name}"]`) as HTMLInputElement | null)?.value;

test('what she changes is listed with the old words and the new, and her files stay as they are', async () => {
  const { read, send } = openDesk();
  const before = readFileSync(join(copy.folder, 'home.yaml'), 'utf8');
  expect((await read('/website')).querySelector('h1')?.textContent).toBe('Everything you wrote is live');
  await send('/website/first-screen', { 'home.hero.headline': 'New <b>words</b>' });
  const page = await read('/website');
  expect(page.querySelector('h1')?.textContent).toBe('One change is not live yet');
  expect(page.querySelector('.changes ins')?.textContent).toBe('New <b>words</b>');
  expect(page.querySelector('.changes a')?.textContent).toBe('First screen · Headline');
  expect([...page.querySelectorAll('.rows > div')].filter((row) => /Not live yet/.test(row.textContent))).toHaveLength(
    1,
  );
  expect(readFileSync(join(copy.folder, 'home.yaml'), 'utf8')).toBe(before);
});

test('questions are added, moved and taken out without a script, and an empty one is open', async () => {
  const { read, send } = openDesk();
  const first = value(await read('/website/questions'), 'faq.items.0.question');
  await send('/website/questions', { 'faq.items.0.answer': 'Another answer' }, 'down faq.items 0');
  let page = await read('/website/questions');
  expect(value(page, 'faq.items.1.question')).toBe(first);
  expect(value(page, 'faq.items.1.answer')).toBe('Another answer');
  const count = Number(value(page, 'faq.items.count'));
  await send('/website/questions', {}, 'add faq.items');
  page = await read('/website/questions');
  const entries = [...page.querySelectorAll('.entries details')];
  expect(entries.map((entry) => entry.hasAttribute('open'))).toEqual([
    ...Array.from({ length: count }, () => false),
    true,
  ]);
  await send('/website/questions', {}, `remove faq.items ${count}`);
  await send('/website/questions', {}, 'put-back');
  page = await read('/website/questions');
  expect(value(page, 'faq.items.0.question')).toBe(first);
  expect((await read('/website')).querySelector('h1')?.textContent).toBe('Everything you wrote is live');
});

test('a mistake is said at its field, which its sentence describes', async () => {
  const { read, send } = openDesk();
  await send('/website/name', { 'agency.legalName': '' });
  const page = await read('/website/name');
  const field = page.querySelector('[name="agency.legalName"]')!;
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById('agency.legalName-error')?.textContent).toBe('Nothing is written here.');
  expect(field.getAttribute('aria-describedby')).toContain('agency.legalName-error');
  expect((await read('/website')).querySelector('.changes .error')?.textContent).toBe('Nothing is written here.');
});

test('a field that the file and she have changed is shown with both, and she chooses', async () => {
  const { read, send } = openDesk();
  await send('/website/first-screen', { 'home.hero.headline': 'Mine' });
  copy.change('home.yaml', /headline: .*/, 'headline: Theirs');
  expect((await read('/website')).textContent).toContain('The file has changed as well.');
  expect((await read('/website/first-screen')).textContent).toContain('It says now: “Theirs”');
  await send('/website/first-screen', {}, 'keep home.hero.headline');
  expect(value(await read('/website/first-screen'), 'home.hero.headline')).toBe('Mine');
  await send('/website/first-screen', { 'home.hero.headline': 'Mine too' });
  copy.change('home.yaml', /headline: .*/, 'headline: Theirs again');
  await send('/website/first-screen', {}, 'use-file home.hero.headline');
  expect(value(await read('/website/first-screen'), 'home.hero.headline')).toBe('Theirs again');
});

test('every part has a page, on which each field has its own label', { timeout: 60_000 }, async () => {
  const { read } = openDesk();
  const paths = [...(await read('/website')).querySelectorAll('.rows a')].map((link) => link.getAttribute('href')!);
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const page = await read(path);
    const fields = [...page.querySelectorAll('input:not([type="hidden"], [type="checkbox"]), textarea, select')];
    expect(fields.length).toBeGreaterThan(0);
    const unnamed = fields.filter((field) => page.querySelector(`label[for="${field.id}"]`) === null);
    expect(unnamed.map(({ id }) => id)).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  }
});
