// Saves drafts, uploads dropped pictures, refreshes progress. Without it, buttons, file fields and links do the same.

/** Shows that a request comes from one of the desk's own pages. */
const PAGE_KEY = { 'Desk-Page-Key': document.documentElement.dataset.pageKey ?? '' };

/**
 * Saves the text on the desk a second after the last key, and when the page is left. Until the desk has responded, the
 * text is in the browser's storage too: the next page may be requested before the text arrives, or the desk is down.
 */
function keepDraft(form: HTMLFormElement): void {
  const draft = new UnsentDraft(form);
  // The role checkboxes are outside the form.
  document.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement;
    if (field.form === form && field.type !== 'file') draft.takeFields();
  });
  // Every form on the page waits for the draft: nothing older is sent, and no draft arrives after its update is saved.
  document.addEventListener('submit', (event) => {
    if (draft.fields === null) return;
    event.preventDefault();
    void draft.sendBefore(event.target as HTMLFormElement, event.submitter);
  });
  addEventListener('pagehide', () => void draft.send(true));
  showFields(form, draft.fields);
  void draft.send();
  if (draft.fields === null && hasTyped(form)) draft.takeFields();
}

/** Text that the desk may not have saved yet. */
class UnsentDraft {
  /** The form's fields, URL-encoded; null if the desk has saved them. */
  fields: string | null;
  readonly #form: HTMLFormElement;
  readonly #url: string;
  readonly #key: string;
  readonly #state = document.querySelector('[data-draft-state]')!;
  #timer: number | undefined;
  #sent = Promise.resolve(true);
  /** Whether another window has newer text. */
  #isBehind = false;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#url = form.dataset.draft ?? `${location.pathname}/draft`;
    this.#key = `${form.dataset.place}${this.#url}`;
    // This window's text comes first: localStorage may hold another window's, which that window sends itself.
    this.fields = sessionStorage.getItem(this.#key) ?? localStorage.getItem(this.#key);
  }

  takeFields(): void {
    const fields = new FormData(this.#form);
    fields.delete('picture');
    // Scripts of visitors’ pages can read the storage.
    fields.delete('page-key');
    this.fields = String(new URLSearchParams(fields as unknown as Record<string, string>));
    this.#sendIn(this.#form.dataset.draft ? 250 : 1000);
    // At the end, because it throws if the storage is full.
    (this.#isBehind ? sessionStorage : localStorage).setItem(this.#key, this.fields);
  }

  /**
   * Sends one draft at a time: an older one must not arrive last.
   * @returns false if the desk didn't save the text
   */
  send(keepalive = false): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#sent = this.#sent.then(() => this.#post(keepalive));
    return this.#sent;
  }

  /** Sends the draft, then submits a form of the page. */
  async sendBefore(target: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    while (this.fields !== null) {
      if (await this.send()) continue;
      if (!this.#isBehind || target !== this.#form) return this.#state.scrollIntoView({ block: 'center' });
      // The response to this form has the text in its fields; pressing the button again saves it.
      sessionStorage.removeItem(this.#key);
      this.fields = null;
    }
    target.requestSubmit(submitter);
  }

  #sendIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.send(), milliseconds);
  }

  async #post(keepalive: boolean): Promise<boolean> {
    const { fields } = this;
    if (fields === null) return true;
    const body = new URLSearchParams(fields);
    body.set('draft', findInput(this.#form, 'draft').value);
    try {
      const response = await fetch(this.#url, { method: 'POST', headers: PAGE_KEY, body, keepalive });
      this.#state.textContent = await response.text();
      this.#isBehind = response.status === 409;
      // If another window has newer text, this text belongs only to this window.
      if (this.#isBehind) sessionStorage.setItem(this.#key, fields);
      else if (response.ok) sessionStorage.removeItem(this.#key);
      if ((response.ok || this.#isBehind) && localStorage.getItem(this.#key) === fields) {
        localStorage.removeItem(this.#key);
      }
      // The database may be unreachable, or the desk may be starting.
      if (response.status === 503) this.#sendIn(RETRY_MS);
      if (!response.ok) return false;
      findInput(this.#form, 'draft').value = response.headers.get('Desk-Draft') ?? '';
      if (this.fields === fields) this.fields = null;
      this.#form.dispatchEvent(new Event('draftkept'));
      return true;
    } catch {
      this.#state.textContent = NO_RESPONSE;
      // The machine may have been asleep, or the desk may be restarting.
      this.#sendIn(RETRY_MS);
      return false;
    }
  }
}

const RETRY_MS = 3000;

const NO_RESPONSE =
  'The desk isn’t responding. Your text is saved in this browser, and will be saved on the desk when it responds again.';

function findInput(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/**
 * Whether the owner typed before this script ran. A form without the focus may still differ from its markup, since a
 * browser removes line breaks from one-line fields.
 */
function hasTyped(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement>('textarea, input:not([type=checkbox], [type=file])');
  return form.contains(document.activeElement) && [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

/** @param fields the fields that the desk may not have saved, URL-encoded */
function showFields(form: HTMLFormElement, fields: string | null): void {
  if (fields === null) return;
  const values = new URLSearchParams(fields);
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

/** Uploads pictures dropped on the text or pasted into it, and inserts their Markdown at the cursor. */
function acceptPictures(form: HTMLFormElement): void {
  const text = form.querySelector('textarea')!;
  const uploads = createUploads(text);
  const mark = (event: DragEvent) => {
    // Dragged text is left to the browser.
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    text.classList.toggle('drop', event.type === 'dragover');
  };
  text.addEventListener('dragover', mark);
  text.addEventListener('dragleave', mark);
  text.addEventListener('drop', (event) => {
    mark(event);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) moveCaret(text, event);
    uploads.add(files);
  });
  text.addEventListener('paste', (event) => {
    const files = listPasted(event.clipboardData!);
    if (files.length === 0) return;
    event.preventDefault();
    uploads.add(files);
  });
  // Leaving the page would lose the pictures.
  const sendOnceDone = async (target: HTMLFormElement, submitter: HTMLElement | null) => {
    if (await uploads.finish()) target.requestSubmit(submitter);
  };
  document.addEventListener(
    'submit',
    (event) => {
      if (!uploads.isBusy()) return;
      event.preventDefault();
      event.stopPropagation();
      void sendOnceDone(event.target as HTMLFormElement, event.submitter);
    },
    true,
  );
  addEventListener('beforeunload', (event) => {
    if (uploads.isBusy()) event.preventDefault();
  });
}

type Uploads = {
  add: (files: File[]) => void;
  isBusy: () => boolean;
  /** Resolves once nothing is uploading. @returns whether the desk accepted every picture */
  finish: () => Promise<boolean>;
};

/** Uploads pictures one after another, so that they keep their order. */
function createUploads(text: HTMLTextAreaElement): Uploads {
  const state = document.querySelector('[data-draft-state]')!;
  const problems = document.createElement('p');
  problems.className = 'error';
  problems.setAttribute('role', 'alert');
  text.after(problems);
  const upload = async (file: File) => {
    state.textContent = `Adding ${file.name} …`;
    const body = new FormData();
    body.set('picture', file);
    const response = await fetch('/desk/updates/pictures', { method: 'POST', headers: PAGE_KEY, body }).catch(
      () => undefined,
    );
    const line = (await response?.text()) ?? `${file.name}: the desk isn’t responding, so the picture was not added.`;
    if (response?.ok) {
      text.setRangeText(`\n${line}\n`, text.selectionStart, text.selectionEnd, 'end');
      text.dispatchEvent(new Event('input', { bubbles: true }));
    } else problems.append(`${line} `);
    state.textContent = '';
  };
  let uploads = Promise.resolve();
  let waiting = 0;
  return {
    add: (files) => {
      problems.textContent = '';
      waiting += files.length;
      for (const file of files) uploads = uploads.then(() => upload(file)).finally(() => (waiting -= 1));
    },
    isBusy: () => waiting > 0,
    finish: async () => {
      await uploads;
      return problems.textContent === '';
    },
  };
}

/** Browsers don't move the caret when files are dropped. */
function moveCaret(text: HTMLTextAreaElement, { clientX, clientY }: DragEvent): void {
  // Safari before 26.2 doesn't have this function.
  const place = document.caretPositionFromPoint?.(clientX, clientY);
  if (place?.offsetNode === text) text.setSelectionRange(place.offset, place.offset);
}

/** @returns the files to upload; none if text was pasted. Word adds a picture of copied text; a Mac, a file's name. */
function listPasted(pasted: DataTransfer): File[] {
  const files = [...pasted.files];
  const lines = pasted.getData('text/plain').split(/[\r\n]+/);
  const hasText = lines.some((line) => line.trim() !== '' && !files.some(({ name }) => name === line.trim()));
  if (hasText) return [];
  // A picture's name becomes its description.
  return files.map((file) =>
    file.name === 'image.png' ? new File([file], 'Screenshot.png', { type: file.type }) : file,
  );
}

/** Refreshes the progress of work, unless the owner is using that part. Reloads the page once it has finished. */
async function refreshProgress(): Promise<void> {
  const part = document.querySelector('[data-renew]');
  if (part === null) return;
  if (document.hidden || part.querySelector(':focus, [open]')) return;
  const url = new URL(location.href);
  url.searchParams.set('renewal', '1');
  const response = await fetch(url, { headers: PAGE_KEY }).catch(() => undefined);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('[data-renew]');
  if (fresh) part.replaceWith(fresh);
  else location.reload();
}

// At the end, because it uses the class above.
const draft = document.querySelector<HTMLFormElement>('form[data-place]');
if (draft) {
  keepDraft(draft);
  if (draft.id === 'write') acceptPictures(draft);
}
sendOnce();
if (document.querySelector('[data-renew]')) setInterval(refreshProgress, 3000);
