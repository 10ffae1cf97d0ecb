import { expect, type Locator, type Page } from '@playwright/test';

/** Waits until React operates a form, by default the page's first: it marks the element that it renders into. */
export async function expectHydrated(page: Page, form: Locator = page.getByRole('form').first()): Promise<void> {
  const isHydrated = (element: Element) =>
    Object.keys(element.closest('[data-island]')!).some((key) => key.startsWith('__reactContainer$'));
  await expect.poll(() => form.evaluate(isHydrated), { timeout: 30_000 }).toBe(true);
}
