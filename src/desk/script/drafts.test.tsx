import { beforeEach, expect, test, vi } from 'vitest';

const fetched = vi.fn<typeof fetch>();
const state = () => document.querySelector('[data-draft-state]')!.textContent;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  localStorage.clear();
  vi.stubGlobal('fetch', fetched);
  document.body.innerHTML = `<span data-draft-state></span>
    <form id="part" data-place="/data" data-draft="/website-draft/contact">
      <input name="csrf" value="c" /><input name="draft" value="{}" /><input name="heading" value="Contact" />
    </form>`;
  await import('./drafts.ts');
  return () => vi.useRealTimers();
});

function type(words: string): void {
  const field = document.querySelector<HTMLInputElement>('[name=heading]')!;
  field.value = words;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

test('while a laptop sleeps, words stay in the browser, and go to the desk when it wakes', async () => {
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

test('words go to the desk also if the browser has no room for them', async () => {
  fetched.mockResolvedValue(new Response('Draft kept at 10:00'));
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  // A browser logs it.
  expect(() => type('A long text')).toThrow('quota');
  await vi.advanceTimersByTimeAsync(250);
  expect(state()).toBe('Draft kept at 10:00');
});
