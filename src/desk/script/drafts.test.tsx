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

/** Runs the script once its page is there, as browsers do. */
const runScript = () => import('./drafts.ts');

function type(words: string): void {
  const field = document.querySelector<HTMLInputElement>('[name=heading]')!;
  field.focus();
  field.value = words;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

test('keeps text in the browser while a laptop sleeps, and sends it to the desk when the laptop wakes', async () => {
  await runScript();
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  type('Written on a train');
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(state()).toMatch(/^The desk isn’t responding\. Your text is saved in this browser/);
  expect(Object.values(localStorage)).toEqual([expect.stringContaining('Written+on+a+train')]);

  fetched.mockResolvedValue(new Response('Draft saved at 10:00', { headers: { 'Desk-Draft': '{}' } }));
  await vi.advanceTimersByTimeAsync(5000);
  expect(state()).toBe('Draft saved at 10:00');
  expect((fetched.mock.lastCall![1]!.body as URLSearchParams).get('heading')).toBe('Written on a train');
  expect(localStorage).toHaveLength(0);
});

test('keeps text in the browser while the desk’s database is unreachable, and sends it afterwards', async () => {
  await runScript();
  fetched.mockImplementation(async () => new Response('Your desk can’t reach its database', { status: 503 }));
  type('Written during a restart');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state()).toBe('Your desk can’t reach its database');
  expect(Object.values(localStorage)).toEqual([expect.stringContaining('Written+during+a+restart')]);
  fetched.mockImplementation(async () => new Response('Draft saved at 10:00'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(state()).toBe('Draft saved at 10:00');
});

test.each([
  ['sends what was typed before the script had loaded', true],
  ['sends nothing from an untouched form', false],
])('%s', async (_, isTyped) => {
  fetched.mockResolvedValue(new Response('Draft saved at 10:00'));
  if (isTyped) type('Typed at once');
  await runScript();
  await vi.advanceTimersByTimeAsync(250);
  const sent = fetched.mock.calls.map(([, request]) => (request!.body as URLSearchParams).get('heading'));
  expect(sent).toEqual(isTyped ? ['Typed at once'] : []);
});

test('uploads pasted screenshots one after another, and inserts them in that order', async () => {
  const text = await openWriting();
  const answers: (() => void)[] = [];
  fetched.mockImplementation((url, request) => {
    if (url !== '/desk/updates/pictures') return Promise.resolve(new Response('Draft saved at 10:00'));
    const { name } = (request!.body as FormData).get('picture') as File;
    return new Promise((resolve) => answers.push(() => resolve(new Response(`![${name}](/x)`))));
  });
  paste(text, { files: [png('image.png'), png('chart.png')] });
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toHaveLength(1);
  for (let count = 0; count < 2; count += 1) {
    answers[count]!();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(text.value).toMatch(/!\[Screenshot\.png\]\(\/x\)\s+!\[chart\.png\]\(\/x\)/);
});

test.each([
  ['text with a picture of the text, as Word copies it', { words: 'Pay in 2026', files: ['image.png'] }, 0],
  ['a file, as a Mac copies it with its name', { words: 'chart.png', files: ['chart.png'] }, 1],
  ['text alone', { words: 'Pay', files: [] }, 0],
])('uploads pasted files, but not the picture that Word adds to text: %s', async (_, { words, files }, uploads) => {
  const text = await openWriting();
  fetched.mockResolvedValue(new Response('![x](/x)'));
  const event = paste(text, { words, files: files.map(png) });
  await vi.advanceTimersByTimeAsync(10);
  expect(event.defaultPrevented).toBe(uploads > 0);
  expect(fetched.mock.calls.filter(([url]) => url === '/desk/updates/pictures')).toHaveLength(uploads);
});

test('keeps showing why a picture was rejected while the next one is added', async () => {
  const text = await openWriting();
  fetched.mockResolvedValue(new Response('Draft saved at 10:00'));
  fetched.mockResolvedValueOnce(new Response('note.png: expected a picture.', { status: 400 }));
  paste(text, { files: [png('note.png'), png('chart.png')] });
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.querySelector('[role=alert]')!.textContent).toContain('note.png: expected a picture.');
});

test('sends a form only once the pictures are uploaded, and not if one was rejected', async () => {
  const text = await openWriting();
  let answer: (response: Response) => void = () => undefined;
  fetched.mockImplementation((url) =>
    url === '/desk/updates/pictures'
      ? new Promise((resolve) => (answer = resolve))
      : Promise.resolve(new Response('Draft saved at 10:00')),
  );
  const sent = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  const form = document.querySelector<HTMLFormElement>('#write')!;
  form.addEventListener('submit', sent);
  const press = async (response: Response) => {
    paste(text, { files: [png('chart.png')] });
    await vi.advanceTimersByTimeAsync(0);
    form.requestSubmit();
    expect(sent).not.toHaveBeenCalled();
    answer(response);
    await vi.advanceTimersByTimeAsync(2000);
  };
  await press(new Response('chart.png: expected a picture.', { status: 400 }));
  expect(sent).not.toHaveBeenCalled();
  await press(new Response('![chart](/x)'));
  expect(text.value).toContain('![chart](/x)');
  expect(sent).toHaveBeenCalled();
});

/** Shows an update's form, and runs the script. */
async function openWriting(): Promise<HTMLTextAreaElement> {
  document.body.innerHTML = `<span data-draft-state></span>
    <form id="write" data-place="/data">
      <input name="csrf" value="c" /><input name="draft" value="{}" /><textarea name="text"></textarea>
    </form>`;
  await runScript();
  return document.querySelector('textarea')!;
}

const png = (name: string) => new File(['x'], name, { type: 'image/png' });

function paste(text: HTMLElement, { words = '', files }: { words?: string; files: File[] }): Event {
  const event = Object.assign(new Event('paste', { cancelable: true }), {
    clipboardData: { files, getData: () => words },
  });
  text.dispatchEvent(event);
  return event;
}

test('sends text to the desk even if the browser’s storage is full', async () => {
  await runScript();
  fetched.mockResolvedValue(new Response('Draft saved at 10:00'));
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  // In a browser, this error would only be logged.
  expect(() => type('A long text')).toThrow('quota');
  await vi.advanceTimersByTimeAsync(250);
  expect(state()).toBe('Draft saved at 10:00');
});
