import { beforeEach, expect, test, vi } from 'vitest';

const fetched = vi.fn<typeof fetch>();
const state = () => document.querySelector('[data-draft-state]')!.textContent;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  localStorage.clear();
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  document.body.innerHTML = `<span data-draft-state></span>
    <form id="part" data-place="/data" data-draft="/desk/website-draft/contact">
      <input name="draft" value="{}" /><input name="heading" value="Contact" />
    </form>`;
  return () => vi.useRealTimers();
});

/** The page is shown before its script runs. */
const runScript = () => import('./drafts.ts');

function type(words: string): void {
  const field = document.querySelector<HTMLInputElement>('[name=heading]')!;
  field.focus();
  field.value = words;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

test('while a laptop sleeps, words stay in the browser, and go to the desk when it wakes', async () => {
  await runScript();
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  type('Written on a train');
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(state()).toMatch(/^The desk does not answer\. Your words stay in this browser/);
  expect(Object.values(localStorage)).toEqual([expect.stringContaining('Written+on+a+train')]);

  fetched.mockResolvedValue(new Response('Draft kept at 10:00', { headers: { 'Desk-Draft': '{}' } }));
  await vi.advanceTimersByTimeAsync(5000);
  expect(state()).toBe('Draft kept at 10:00');
  expect((fetched.mock.lastCall![1]!.body as URLSearchParams).get('heading')).toBe('Written on a train');
  expect(localStorage).toHaveLength(0);
});

test.each([
  ['what was typed before the script came goes to the desk', true],
  ['an untouched form sends nothing', false],
])('%s', async (_, isTyped) => {
  fetched.mockResolvedValue(new Response('Draft kept at 10:00'));
  if (isTyped) type('Typed at once');
  await runScript();
  await vi.advanceTimersByTimeAsync(250);
  const sent = fetched.mock.calls.map(([, request]) => (request!.body as URLSearchParams).get('heading'));
  expect(sent).toEqual(isTyped ? ['Typed at once'] : []);
});

test('words go to the desk also if the browser has no room for them', async () => {
  await runScript();
  fetched.mockResolvedValue(new Response('Draft kept at 10:00'));
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  // A browser logs it.
  expect(() => type('A long text')).toThrow('quota');
  await vi.advanceTimersByTimeAsync(250);
  expect(state()).toBe('Draft kept at 10:00');
});
