import type { Page } from '@playwright/test';

/** What goes wrong on a page from now on: exceptions that nothing catches, and errors in the console. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}
