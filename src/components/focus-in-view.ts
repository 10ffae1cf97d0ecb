/**
 * Moves the focus to an element, and scrolls its `div` (a field with its label and error) out from under the
 * header and the toast; the `scroll-margin` of the `div` says how far.
 */
export function focusInView(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  // Not smooth: the focus may move on before the scrolling ends.
  element.closest('div')!.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}
