const CONTROLS = 'input[name], select[name], button[type="submit"]';

/**
 * Puts a visitor's own controls, with what they hold, in the place of the same ones of a fresh markup. A caret cannot
 * be copied from an email field, but moves with it.
 * @param nodes what was there before; they are no longer in the page
 */
export function adoptControls(fresh: HTMLElement, nodes: Node[]): void {
  const before = document.createElement('div');
  before.append(...nodes);
  for (const place of fresh.querySelectorAll<HTMLElement>(CONTROLS)) {
    const name = place.getAttribute('name');
    const control = before.querySelector(name === null ? 'button[type="submit"]' : `[name="${CSS.escape(name)}"]`);
    if (control?.tagName !== place.tagName) continue;
    if (control instanceof HTMLSelectElement) adoptOptions(control, place);
    place.replaceWith(control);
  }
}

/** Options may have been translated, which the fresh markup's are not. */
function adoptOptions(select: HTMLSelectElement, fresh: Element): void {
  const { value } = select;
  select.replaceChildren(...fresh.childNodes);
  select.value = value;
}
