import { chooseEssential } from './cookie-banner.ts';
import { expectDone, fillIn, findForm, makeAddress, pressJoin } from './sign-up-form.ts';
import { expect, test } from './site.ts';

/** Newer APIs that the scripts use. */
const NEWER = ['AbortSignal.timeout', 'HTMLFormElement.prototype.requestSubmit', 'Element.prototype.replaceChildren']
  .concat(['HTMLElement.prototype.togglePopover', 'Document.prototype.getAnimations', 'Promise.allSettled'])
  .concat(['Object.fromEntries', 'Array.prototype.flatMap', 'CSS.escape', 'window.requestIdleCallback'])
  .concat(['window.PerformanceObserver', 'window.queueMicrotask', 'window.MessageChannel', 'window.reportError']);

test('a visitor whose browser lacks newer APIs signs up, once', async ({ page, site }) => {
  const email = makeAddress();
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.addInitScript(chooseEssential);
  await page.addInitScript(NEWER.map((name) => `delete ${name}`).join(';'));
  await page.goto('/');
  const form = findForm(page);
  await fillIn(form, email);
  await pressJoin(form);
  await expectDone(page);
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
  expect(posts).toHaveLength(1);
});
