import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HTMLElement, type HTMLFormElement, type HTMLInputElement, Window } from 'happy-dom';
import { type Context, Hono } from 'hono';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect } from 'vitest';
import type { Misfit } from '#content/apply-overlay.ts';
import type { Overlay } from '#content/overlay.ts';
import { addVersion } from '#publishing/content-versions.ts';
import { takeResult } from '#desk/handle-forms.ts';
import type { FormResult } from '#desk/desk-types.ts';
import { FormState } from '#desk/ui.tsx';
import { addWebsite } from '#desk/website/website.tsx';
import { parseEnvironment } from '#settings/environment.ts';
import { makeFolder } from './make-folder.ts';
import { openTestStore } from './open-draft.ts';
import { content as testContent } from './test-content.ts';

export const window = new Window();
export const { document } = window;

/**
 * The desk's pages as a browser without scripts uses them.
 * @param content absolute path of the content that visitors see
 * @param published what was laid over it, and which fields of that aren't shown
 */
export async function openDesk(content: string, published?: { overlay: Overlay; misfits: Misfit[] }) {
  const results = new Map<string, FormResult>();
  const shown = { name: 'build', folder: makeFolder(), misfits: published?.misfits ?? [], number: published ? 1 : 0 };
  symlinkSync(content, join(shown.folder, 'content'));
  mkdirSync(join(shown.folder, 'site'));
  writeFileSync(join(shown.folder, 'site/index.html'), '');
  writeFileSync(join(shown.folder, 'content.json'), JSON.stringify({ documents: ['index.html', 'house-rules.html'] }));
  const store = await openTestStore();
  if (published) {
    const version = { overlay: published.overlay, files: {}, git: '', changed: '', made_by: '' };
    await store.transaction((tx) => addVersion(tx, 0, version));
  }
  const places = { content: undefined, build: shown.folder, site: join(shown.folder, 'site') };
  const app = new Hono();
  app.use(async (context, next) => {
    context.setRenderer((body, { title }) =>
      context.html(
        renderToStaticMarkup(
          createElement(
            FormState.Provider,
            { value: takeFormState(results, context) },
            createElement('main', null, createElement('h1', null, title), body),
          ),
        ),
      ),
    );
    await next();
  });
  addWebsite(app, {
    content: testContent,
    places,
    shown,
    env: parseEnvironment({ DATA_DIR: '/data' }),
    results,
    log: () => undefined,
    origin: 'http://localhost:3000',
    store,
    publishing: {},
    picturesKey: '',
  });
  const read = async (path: string) => {
    const response = await app.request(path);
    expect(response.status).toBe(200);
    document.body.innerHTML = await response.text();
    return document.body;
  };
  /** Sends the page's form with some fields changed, by one of its buttons. */
  const send = async (path: string, changes: Record<string, string>, action = 'save') => {
    const page = await read(path);
    const form = page.querySelector('form#part') as unknown as HTMLFormElement;
    for (const [name, value] of Object.entries(changes)) {
      const field = form.elements.namedItem(name) as HTMLInputElement | null;
      if (field === null) throw new Error(`There is no field ${name}`);
      field.value = value;
    }
    const pressed = [...form.querySelectorAll('button')].find((button) =>
      [button.getAttribute('value'), button.getAttribute('formaction')].includes(action),
    );
    expect(pressed).toBeDefined();
    const body = new URLSearchParams([...new window.FormData(form)].map(([name, each]) => [name, String(each)]));
    if (!action.startsWith('?')) body.set('action', action);
    return app.request(path + (action.startsWith('?') ? action : ''), { method: 'POST', body });
  };
  return { app, results, read, send, store };
}

function takeFormState(results: Map<string, FormResult>, context: Context) {
  const { error, undo } = takeResult({ results }, context);
  return { error, undo, result: context.req.query('result') };
}

export const value = (page: HTMLElement, name: string) =>
  (page.querySelector(`[name="${name}"]`) as HTMLInputElement | null)?.value;
