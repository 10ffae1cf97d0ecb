import { chooseEssential } from './cookie-banner.ts';
import { expectDone, fillIn, findForm, makeAddress, pressJoin } from './sign-up-form.ts';
import { expect, test } from './site.ts';

/** The newer APIs that the scripts use, by their objects. */
const NEWER: [string, string][] = [
  ['AbortSignal', 'timeout'],
  ['HTMLFormElement.prototype', 'requestSubmit'],
  ['Element.prototype', 'replaceChildren'],
  ['HTMLElement.prototype', 'togglePopover'],
  ['Document.prototype', 'getAnimations'],
  ['Promise', 'allSettled'],
  ['Object', 'fromEntries'],
  ['Array.prototype', 'flatMap'],
  ['CSS', 'escape'],
  ['window', 'requestIdleCallback'],
  ['window', 'PerformanceObserver'],
  ['window', 'queueMicrotask'],
  ['window', 'MessageChannel'],
  ['window', 'reportError'],
  ['window', 'fetch'],
];

for (const [owner, name] of NEWER) {
  test(`a visitor whose browser lacks ${owner}.${name} signs up, once`, async ({ page, site }) => {
    const email = makeAddress();
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await page.addInitScript(chooseEssential);
    await page.addInitScript(`delete ${owner}.${name}`);
    await page.goto('/');
    const form = findForm(page);
    await fillIn(form, email);
    await pressJoin(form);
    await expectDone(page);
    expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
    expect(posts).toHaveLength(1);
  });
}
