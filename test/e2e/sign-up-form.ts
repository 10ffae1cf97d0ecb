import { expect, type Locator, type Page } from '@playwright/test';

export const FORM_SCRIPT = /\/form-.*\.js$/;

const FORMS = {
  Founder: { name: 'Want to stay ahead of GTM hiring trends?', done: 'Welcome to the List!' },
  Footer: { name: /^Stay Connected with /, done: "You're All Set!" },
};

/** Finds one of the two forms by the source of its sign-ups. */
export function findForm(page: Page, source: keyof typeof FORMS = 'Founder'): Locator {
  return page.getByRole('form', { name: FORMS[source].name });
}

/** Hydrates the form and returns it. */
export async function hydrateForm(page: Page, source: keyof typeof FORMS = 'Founder'): Promise<Locator> {
  const form = findForm(page, source);
  await form.getByLabel('Email').focus();
  await expectHydrated(page, form);
  return form;
}

/** Waits until a form is hydrated, by default the page's first: React marks the element that it renders into. */
export async function expectHydrated(page: Page, form: Locator = page.getByRole('form').first()): Promise<void> {
  await expect.poll(() => isHydrated(form), { timeout: 30_000, intervals: [20, 50] }).toBe(true);
}

export function isHydrated(form: Locator): Promise<boolean> {
  return form.evaluate((element) =>
    Object.keys(element.closest('[data-island]')!).some((key) => key.startsWith('__reactContainer$')),
  );
}

export async function fillIn(form: Locator, email: string): Promise<void> {
  await form.getByLabel('Email').fill(email);
  await form.getByRole('checkbox').check();
}

export async function pressJoin(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Join the List' }).click();
}

/** Waits until the page says that the visitor is on the list. */
export async function expectDone(page: Page, source: keyof typeof FORMS = 'Founder'): Promise<void> {
  await expect(page.getByRole('heading', { name: FORMS[source].done })).toBeVisible();
}

/** Holds requests for these files until the returned function is called. */
export async function hold(page: Page, files = FORM_SCRIPT): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  return release;
}

export function findToast(page: Page): Locator {
  return page.locator('[aria-live] > div');
}

export async function expectToast(page: Page, title: string, text: string): Promise<void> {
  await expect(findToast(page)).toContainText(`${title}${text}`);
}

let addresses = 0;

/** An email address that no other test uses. */
export function makeAddress(): string {
  addresses += 1;
  return `visitor-${process.pid}-${Date.now()}-${addresses}@example.org`;
}
