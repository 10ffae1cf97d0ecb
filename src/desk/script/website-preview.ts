// Updates a Website form's errors and its preview while the owner types. Without this script, Save updates them.

const part = document.getElementById('part');
const preview = document.querySelector('.preview');
/** The latest request for a fresh copy of the page. */
let newest: Promise<Response> | undefined;
const scrolledTo = preview && sessionStorage.getItem(nameFrame(preview));
if (preview) {
  showPlace(preview.querySelector('iframe')!);
  // Read when the page is left, because Safari doesn't report scrolling in a frame that can't run scripts.
  addEventListener('pagehide', () => {
    const frame = preview.querySelector<HTMLIFrameElement>('iframe:not(.loading)')!;
    if (isLoaded(frame)) sessionStorage.setItem(nameFrame(preview), String(frame.contentWindow!.scrollY));
  });
}
if (part) {
  part.addEventListener('draftkept', () => {
    // While there is an error, the desk responds with the last good page.
    if (preview) loadFrame(preview);
    void followDraft(part);
  });
  // A new entry may be reported as empty once the owner has left it.
  part.addEventListener('focusout', ({ target, relatedTarget }) => {
    const url = new URL(location.href);
    const entry = document.getElementById(url.searchParams.get('new') ?? '');
    if (!entry?.contains(target as Node) || entry.contains(relatedTarget as Node | null)) return;
    url.searchParams.delete('new');
    history.replaceState(null, '', url);
    void followDraft(part);
  });
}
for (const field of document.querySelectorAll<HTMLInputElement>('.picture input[type=file]')) {
  const send = () => field.form!.requestSubmit(field.form!.querySelector('button'));
  field.addEventListener('change', send);
  // A file may have been chosen before this script loaded.
  if (field.files!.length > 0) send();
}

/** Copies the messages from a fresh copy of the page, unless a newer copy has been requested since. */
async function followDraft(form: HTMLElement): Promise<void> {
  const url = new URL(location.href);
  url.searchParams.set('renewal', '1');
  const request = fetch(url, { headers: { 'Desk-Page-Key': document.documentElement.dataset.pageKey ?? '' } });
  newest = request;
  const response = await request.catch(() => undefined);
  if (!response?.ok) return;
  const text = await response.text();
  if (request !== newest) return;
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const control of form.querySelectorAll('.field > [name], .entries')) copySentences(control, fresh);
  for (const field of form.querySelectorAll<HTMLElement>('[data-key]')) {
    for (const notice of field.querySelectorAll(':scope > .notice')) notice.remove();
    const found = fresh.querySelector(`[data-key="${field.dataset.key}"]`);
    field.append(...(found?.querySelectorAll(':scope > .notice') ?? []));
  }
  for (const entry of form.querySelectorAll('[data-key] details')) {
    const found = fresh.getElementById(entry.id)?.querySelector('summary');
    if (found) entry.querySelector('summary')!.textContent = found.textContent;
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const found = fresh.querySelector<HTMLElement>(`[data-live="${place.dataset.live}"]`);
    if (!found || place.contains(document.activeElement)) continue;
    place.replaceChildren(...found.childNodes);
    place.hidden = found.hidden;
  }
}

/** Copies the label and the error above a field or a list; the label says whether it is live. */
function copySentences(control: Element, fresh: Document): void {
  const found = fresh.getElementById(control.id);
  if (!found) return;
  const isList = control.matches('.entries');
  const here = isList ? control : control.parentElement!;
  const there = isList ? found : found.parentElement!;
  here.className = there.className;
  here.querySelector(':scope > .error')?.remove();
  const error = there.querySelector(':scope > .error');
  const label = isList ? 'legend' : 'label';
  here.querySelector(`:scope > ${label}`)!.replaceChildren(...there.querySelector(`:scope > ${label}`)!.childNodes);
  if (error) (isList ? here.querySelector(':scope > ol')! : control).before(error);
  for (const name of ['aria-describedby', 'aria-invalid']) {
    const value = found.getAttribute(name);
    if (value !== null) control.setAttribute(name, value);
    else control.removeAttribute(name);
  }
}

/** Loads a fresh frame behind the one that is shown, and scrolls it to the same place. */
function loadFrame(around: Element): void {
  const screen = around.querySelector('.screen')!;
  for (const waiting of screen.querySelectorAll('.loading')) waiting.remove();
  const shown = screen.querySelector('iframe')!;
  const next = shown.cloneNode() as HTMLIFrameElement;
  next.className = 'loading';
  next.addEventListener(
    'load',
    () => {
      if (!next.isConnected) return;
      if (isLoaded(shown)) next.contentWindow!.scrollTo(0, shown.contentWindow!.scrollY);
      else showPlace(next);
      next.className = '';
      shown.remove();
    },
    { once: true },
  );
  screen.append(next);
}

/** Scrolls to the part, or to the frame's previous position: moving a list entry reloads the page. */
function showPlace(frame: HTMLIFrameElement): void {
  const scroll = () => {
    // A # in the frame's URL would scroll the desk's page as well.
    const place = frame.contentDocument!.getElementById(frame.dataset.place ?? '');
    const start = place ? place.getBoundingClientRect().top - BAR_HEIGHT : 0;
    frame.contentWindow!.scrollTo(0, scrolledTo === null ? start : Number(scrolledTo));
  };
  if (isLoaded(frame)) scroll();
  else frame.addEventListener('load', scroll, { once: true });
}

function isLoaded({ contentDocument, contentWindow }: HTMLIFrameElement): boolean {
  return contentDocument?.readyState === 'complete' && contentWindow?.location.href !== 'about:blank';
}

/** The height of the bar that stays at the top of the page in the frame, in pixels. */
const BAR_HEIGHT = 72;

/** Phone and computer previews scroll separately. */
function nameFrame(around: Element): string {
  return `${location.pathname} ${around.querySelector('.screen')!.className}`;
}
