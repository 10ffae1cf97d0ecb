/**
 * Waits until nothing in an element is pressed: a control that moves or is covered while it is pressed is not clicked.
 */
export async function waitForRelease(element: Element): Promise<void> {
  while (element.matches(':active')) await new Promise(requestAnimationFrame);
}
