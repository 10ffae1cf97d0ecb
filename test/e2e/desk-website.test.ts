import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenDesk, openDesk, workOn } from './open-desk.ts';
import { expect, type Page, test } from './site.ts';

let opened: OpenDesk;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.setTimeout(180_000);

test.beforeAll(async ({ browser }) => {
  opened = await openDesk(browser, { people: 1 });
  ({ page } = opened);
});
test.afterAll(() => opened.close());

const { expectWellMade, open, press, heading } = workOn(() => page);
const frame = () => page.frameLocator('iframe:not(.loading)');
const openPart = async (name: string) => {
  await open('Website');
  await page.getByRole('link', { name, exact: true }).click();
  await expect(heading()).toHaveText(name);
};
/** Waits for the next page, and for its script. */
const addQuestion = async () => {
  const questions = page.getByLabel('Question', { exact: true });
  const count = await questions.count();
  await press('Add a question');
  await expect(questions).toHaveCount(count + 1);
  await expect(frame().locator('#faq')).toBeVisible();
};
const kept = () => expect(page.getByText(/Draft kept at \d\d:\d\d/)).toBeVisible();

test('she sees the real page as she types, and what she wrote is listed', async () => {
  await open('Website');
  await expect(heading()).toHaveText('Everything you wrote is live');
  await expectWellMade();
  await openPart('First screen');
  await expect(frame().getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByLabel('Headline').fill('Hire <b>sellers</b> who aren’t looking');
  await expect(frame().getByRole('heading', { level: 1 })).toHaveText('Hire <b>sellers</b> who aren’t looking');
  await expect(page.getByRole('link', { name: 'Publish 1 change' })).toBeVisible();
  await expectWellMade();
  await open('Website');
  await expect(heading()).toHaveText('One change is not live yet');
  await expect(page.locator('ins')).toHaveText('Hire <b>sellers</b> who aren’t looking');
  await expectWellMade();
});

test('a mistake is said while she types, and the page keeps its last good state and its place', async () => {
  await openPart('FAQ');
  await addQuestion();
  await page.getByLabel('Question', { exact: true }).last().fill('What does a search cost?');
  await kept();
  await expect(page.locator('.field .error')).toHaveCount(0);
  const answer = page.getByLabel('Answer').last();
  await answer.fill('{nmae} asks for a share of the pay.');
  await expect(answer).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('{nmae} is not a placeholder.')).toBeVisible();
  await expect(page.getByText('This is the page before a mistake.')).toBeVisible();
  await expectWellMade();
  await expect(frame().getByText('What does a search cost?')).toHaveCount(0);
  const at = await frame()
    .locator('html')
    .evaluate((html) => html.scrollTop);
  expect(at).toBeGreaterThan(500);
  await answer.fill('{name} asks for a share of the pay.');
  await expect(frame().getByText('What does a search cost?')).toBeAttached();
  await expect(answer).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('This is the page before a mistake.')).toBeHidden();
  expect(
    await frame()
      .locator('html')
      .evaluate((html) => html.scrollTop),
  ).toBe(at);
});

test('a new entry that she leaves empty is called so', async () => {
  await addQuestion();
  await page.getByLabel('Question', { exact: true }).last().focus();
  await expect(page.locator('.field .error')).toHaveCount(0);
  await page.getByLabel('Heading').focus();
  await expect(page.locator('.field .error').first()).toHaveText('Nothing is written here.');
  await page
    .getByRole('button', { name: /^Take \d+ out$/ })
    .last()
    .click();
  await expect(page.locator('.field .error')).toHaveCount(0);
});

test('every kind of page can be looked at, on a computer and in the dark', async () => {
  await openPart('Welcome email');
  await page.getByLabel('Heading').fill('Welcome aboard');
  await expect(frame().getByRole('heading', { name: 'Welcome aboard' })).toBeVisible();
  await openPart('Privacy policy');
  await page.getByRole('link', { name: 'Computer' }).click();
  await page.getByRole('link', { name: 'Dark' }).click();
  await expect(frame().locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectWellMade();
  await openPart('Cookie banner');
  await expect(frame().locator('#cookie-banner').getByRole('heading')).toBeVisible();
});

test('she adds a page and a mark of her own', async () => {
  await open('Website');
  await page.getByText('Add a page', { exact: true }).click();
  await page.getByLabel('Its name').fill('Terms of business');
  await press('Add the page');
  await expect(heading()).toHaveText('Terms of business');
  await page.getByLabel('Title').fill('Terms');
  await page.getByLabel('Description').fill('How we work.');
  await page.getByLabel('Text', { exact: true }).fill('## Fees\n\nA share of the first year’s pay.');
  await expect(frame().getByRole('heading', { name: 'Fees' })).toBeVisible();
  await openPart('Pictures');
  await page.getByLabel('Your mark').setInputFiles({
    name: 'mark.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>'),
  });
  await expect(page.getByText(/mark\.svg: this drawing holds a script/)).toBeVisible();
  await expectWellMade();
});

test('words that the desk does not get stay in the browser, and are sent when it answers again', async () => {
  await openPart('Contact');
  await page.context().setOffline(true);
  await page.getByLabel('Heading').fill('Written on a train');
  await expect(page.getByText('The desk does not answer.')).toBeVisible();
  await page.context().setOffline(false);
  await kept();
  await page.reload();
  await expect(page.getByLabel('Heading')).toHaveValue('Written on a train');
});

test('her files are as they were until she publishes', () => {
  const home = readFileSync(join(opened.folder, 'home.yaml'), 'utf8');
  expect(home).not.toContain('Written on a train');
  expect(home).not.toContain('looking');
});
