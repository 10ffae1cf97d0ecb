const CONTROLS = 'input[name], select[name], button[type="submit"]';

/**
 * Replaces the controls in fresh markup with the ones that the visitor has used, including what was typed. The caret
 * can't be copied from an email field, but it moves along with the field.
 * @param nodes the earlier markup, which is no longer in the page
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

/** The options may have been translated in the page, so the fresh ones are used. */
function adoptOptions(select: HTMLSelectElement, fresh: Element): void {
  const { value } = select;
  select.replaceChildren(...fresh.childNodes);
  select.value = value;
}
