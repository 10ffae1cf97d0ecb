// Saves drafts, uploads dropped pictures, refreshes progress. Without it, buttons, file fields and links do.

// Says that a request is one of the desk's own pages.
const pageKey = { 'Desk-Page-Key': document.documentElement.dataset.pageKey ?? '' };

const draft = document.querySelector<HTMLFormElement>('form[data-place]');
if (draft) {
  keepDraft(draft);
  if (draft.id === 'write') takePictures(draft);
}
sendOnce();
if (document.querySelector('[data-renew]')) setInterval(renew, 3000);

/**
 * Saves the text on the desk a second after the last key, and when the page is left. Until the desk has answered, the
 * text is in the browser's storage too: the next page may be requested before it arrives, or the desk may have stopped.
 */
function keepDraft(form: HTMLFormElement): void {
  const url = form.dataset.draft ?? `${location.pathname}/draft`;
  const delay = form.dataset.draft ? 250 : 1000;
  const state = document.querySelector('[data-draft-state]')!;
  const key = `${form.dataset.place}${url}`;
  // This window's own text: another window's is in the same storage, and it sends that itself.
  let unsent = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  const isUnsent = () => unsent !== null;
  let timer: number | undefined;
  let kept = Promise.resolve(true);
  // One at a time: an older draft must not arrive last.
  const keep = (keepalive: boolean) => {
    clearTimeout(timer);
    kept = kept.then(() => sendDraft(keepalive));
    return kept;
  };
  let isBehind = false;
  /** @returns false if the desk didn't save the text */
  const sendDraft = async (keepalive: boolean): Promise<boolean> => {
    const typed = unsent;
    if (typed === null) return true;
    const body = new URLSearchParams(typed);
    body.set('draft', findInput(form, 'draft').value);
    try {
      const answer = await fetch(url, { method: 'POST', headers: pageKey, body, keepalive });
      state.textContent = await answer.text();
      isBehind = answer.status === 409;
      // If another window has newer text, this text belongs only to this window.
      if (isBehind) sessionStorage.setItem(key, typed);
      else if (answer.ok) sessionStorage.removeItem(key);
      if (answer.ok) findInput(form, 'draft').value = answer.headers.get('Desk-Draft') ?? '';
      if (answer.ok && unsent === typed) unsent = null;
      if ((answer.ok || isBehind) && localStorage.getItem(key) === typed) localStorage.removeItem(key);
      if (answer.ok) form.dispatchEvent(new Event('draftkept'));
      return answer.ok;
    } catch {
      state.textContent = NO_ANSWER;
      // The machine may have been asleep, or the desk may be restarting.
      timer = setTimeout(keep, 3000, false);
      return false;
    }
  };
  const takeTyped = () => {
    const typed = new FormData(form);
    typed.delete('picture');
    // Scripts of visitors’ pages can read the storage.
    typed.delete('page-key');
    unsent = String(new URLSearchParams(typed as unknown as Record<string, string>));
    clearTimeout(timer);
    timer = setTimeout(keep, delay, false);
    // Last, since it throws if the storage is full.
    (isBehind ? sessionStorage : localStorage).setItem(key, unsent);
  };
  // The role checkboxes are outside the form.
  document.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement;
    if (field.form === form && field.type !== 'file') takeTyped();
  });
  // Every form on the page waits for the draft: nothing older is sent, and no draft arrives after its update is saved.
  const submitKept = async (target: HTMLFormElement, submitter: HTMLElement | null) => {
    while (isUnsent()) {
      if (await keep(false)) continue;
      if (!isBehind || target !== form) return state.scrollIntoView({ block: 'center' });
      // The response to this form has the text in its fields; pressing the button again saves it.
      sessionStorage.removeItem(key);
      unsent = null;
    }
    target.requestSubmit(submitter);
  };
  document.addEventListener('submit', (event) => {
    if (!isUnsent()) return;
    event.preventDefault();
    void submitKept(event.target as HTMLFormElement, event.submitter);
  });
  addEventListener('pagehide', () => void keep(true));
  showTyped(form, unsent);
  void keep(false);
  if (unsent === null && hasTyped(form)) takeTyped();
}

const NO_ANSWER =
  'The desk isn’t responding. Your text is saved in this browser, and will be sent when the desk responds again.';

function findInput(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/**
 * Whether she typed before this script ran. A form without the focus may still differ from its markup, since a browser
 * removes line breaks from one-line fields.
 */
function hasTyped(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>('textarea, input:not([type=checkbox], [type=file])');
  return form.contains(document.activeElement) && [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

/** @param typed what the desk may not have saved */
function showTyped(form: HTMLFormElement, typed: string | null): void {
  if (typed === null) return;
  const values = new URLSearchParams(typed);
  for (const field of form.elements as Iterable<HTMLInputElement>) {
    if (field.type === 'checkbox') field.checked = values.getAll(field.name).includes(field.value);
    else if (values.has(field.name)) field.value = values.get(field.name)!;
  }
}

/** The second click of a double click sends nothing. */
function sendOnce(): void {
  let sentAt = -Infinity;
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (event.timeStamp - sentAt < 1000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}

/** Uploads pictures dropped on the text or pasted into it, and inserts their Markdown at the cursor, in order. */
function takePictures(form: HTMLFormElement): void {
  const text = form.querySelector('textarea')!;
  const state = document.querySelector('[data-draft-state]')!;
  const problems = document.createElement('p');
  problems.className = 'error';
  problems.setAttribute('role', 'alert');
  text.after(problems);
  const mark = (event: DragEvent) => {
    // Dragged text is left to the browser.
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    text.classList.toggle('drop', event.type === 'dragover');
  };
  text.addEventListener('dragover', mark);
  text.addEventListener('dragleave', mark);
  const upload = async (file: File) => {
    state.textContent = `Adding ${file.name} …`;
    const body = new FormData();
    body.set('picture', file);
    const answer = await fetch('/desk/updates/pictures', { method: 'POST', headers: pageKey, body }).catch(() => undefined);
    const line = (await answer?.text()) ?? NO_ANSWER;
    if (answer?.ok) {
      text.setRangeText(`\n${line}\n`, text.selectionStart, text.selectionEnd, 'end');
      text.dispatchEvent(new Event('input', { bubbles: true }));
    } else problems.append(`${line} `);
    state.textContent = '';
  };
  let uploads = Promise.resolve();
  const take = (files: File[]) => {
    problems.textContent = '';
    for (const file of files) uploads = uploads.then(() => upload(file));
  };
  text.addEventListener('drop', (event) => {
    mark(event);
    take([...(event.dataTransfer?.files ?? [])]);
  });
  text.addEventListener('paste', (event) => {
    const files = listPasted(event.clipboardData!);
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
}

/** @returns the files to upload; none if text is pasted: Word adds a picture of it, and a Mac adds a file's name */
function listPasted(pasted: DataTransfer): File[] {
  const files = [...pasted.files];
  const words = pasted.getData('text/plain').split(/[\r\n]+/);
  const hasWords = words.some((line) => line.trim() !== '' && !files.some(({ name }) => name === line.trim()));
  if (hasWords) return [];
  // Its name becomes its description.
  return files.map((file) =>
    file.name === 'image.png' ? new File([file], 'Screenshot.png', { type: file.type }) : file,
  );
}

/**
 * Refreshes an update's progress, unless the owner is using that part. Reloads the page once sending has finished.
 */
async function renew(): Promise<void> {
  const part = document.querySelector('[data-renew]');
  if (part === null) return;
  if (document.hidden || part.querySelector(':focus, [open]')) return;
  const url = new URL(location.href);
  url.searchParams.set('renewal', '1');
  const answer = await fetch(url, { headers: pageKey }).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-renew]');
  if (fresh) part.replaceWith(fresh);
  else location.reload();
}
