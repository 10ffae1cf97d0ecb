/**
 * Moves the focus to an element, and scrolls all of the `div` around it (a field with its label and error) clear of the
 * header and the toast: that element's `scroll-margin` says how far.
 */
export function focusInView(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  // Not smoothly: the focus may move on before the page has arrived.
  element.closest('div')!.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}
