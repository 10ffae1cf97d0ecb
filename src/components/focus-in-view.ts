/**
 * Moves the focus to an element, and scrolls the `div` around it (a field with its label and error) out from under the
 * header and the toast; its `scroll-margin` says how far.
 */
export function focusInView(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  // Not smoothly: the focus may move on before the scrolling ends.
  element.closest('div')!.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}
