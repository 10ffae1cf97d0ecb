/**
 * Protects the page between a withdrawal and its reload: a script cannot be unloaded, but from here on it can neither
 * send to another host nor store anything.
 */
export function sealPage(): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  // Adds to the policy in the page's headers, which already blocks every other kind of file from elsewhere.
  policy.content = "script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'";
  document.head.append(policy);
  disable(Storage.prototype, 'setItem');
  disable(IDBFactory.prototype, 'open');
  // Browsers offer these two on secure origins only.
  if ('CacheStorage' in window) disable(CacheStorage.prototype, 'open');
  if ('CookieStore' in window) disable((window.CookieStore as { prototype: object }).prototype, 'set');
  Object.defineProperty(document, 'cookie', { value: '' });
}

function disable(owner: object, method: string): void {
  Object.defineProperty(owner, method, { value: () => undefined });
}

/** The visitor's place on the page, stored in the history entry only. */
type KeptPage = {
  /** Values that were typed and ticked, by the field's id. */
  fields: Record<string, { value: string; checked: boolean }>;
  scrollY: number;
  /** The focused element: its tag name, and its index among the elements of that name. */
  focused: { name: string; index: number };
};

const FIELDS = 'main :is(input:not([type="hidden"]), select)';

type Field = HTMLInputElement | HTMLSelectElement;

/** Reloads the page; `resumePage` then puts the visitor back where they were. */
export function reloadPage(): void {
  const fields = [...document.querySelectorAll<Field>(FIELDS)];
  const { localName = 'body' } = document.activeElement ?? {};
  const kept: KeptPage = {
    fields: Object.fromEntries(
      fields.map((field) => [field.id, { value: field.value, checked: 'checked' in field && field.checked }]),
    ),
    scrollY: window.scrollY,
    focused: { name: localName, index: [...document.querySelectorAll(localName)].indexOf(document.activeElement!) },
  };
  history.replaceState({ ...history.state, kept }, '');
  window.location.reload();
}

export function resumePage(): void {
  const { kept, ...rest } = history.state as { kept: KeptPage };
  history.replaceState(rest, '');
  for (const field of document.querySelectorAll<Field>(FIELDS)) {
    const entry = kept.fields[field.id];
    if (entry === undefined) continue;
    field.value = entry.value;
    if ('checked' in field) field.checked = entry.checked;
  }
  const focused = document.querySelectorAll(kept.focused.name)[kept.focused.index];
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  window.scrollTo({ top: kept.scrollY, behavior: 'instant' });
}
