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

test('she sees the real page as she types, and what she wrote is listed', async () => {
  await openPart('First screen');
  await expect(frame().getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByLabel('Headline').fill('Hire <b>sellers</b> who aren’t looking');
  await expect(frame().getByRole('heading', { level: 1 })).toHaveText('Hire <b>sellers</b> who aren’t looking');
  await expect(page.getByRole('link', { name: 'Publish 1 change' })).toBeVisible();
  await open('Website');
  await expect(heading()).toHaveText('One change is not live yet');
  await expect(page.locator('ins')).toHaveText('Hire <b>sellers</b> who aren’t looking');
  await expectWellMade();
});

test('a mistake is said while she types, and the page keeps its last good state and its place', async () => {
  await openPart('FAQ');
  const questions = page.getByLabel('Question', { exact: true });
  const count = await questions.count();
  await press('Add a question');
  await expect(questions).toHaveCount(count + 1);
  await expect(frame().locator('#faq')).toBeVisible();
  await questions.last().fill('What does a search cost?');
  await expect(page.getByText(/Draft kept at \d\d:\d\d/)).toBeVisible();
  await expect(page.locator('.field .error'), 'a new entry is not called empty before she leaves it').toHaveCount(0);
  await page.getByLabel('Heading').focus();
  await expect(page.locator('.field .error')).toHaveText('Nothing is written here.');
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

test('every kind of page can be looked at, on a computer and in the dark', async () => {
  await openPart('Welcome email');
  await page.getByLabel('Heading').fill('Welcome aboard');
  await expect(frame().getByRole('heading', { name: 'Welcome aboard' })).toBeVisible();
  await openPart('Privacy policy');
  await page.getByRole('link', { name: 'Computer' }).click();
  await page.getByRole('link', { name: 'Dark' }).click();
  await expect(frame().locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectWellMade();
  await openPart('Pictures');
  await expectWellMade();
  await openPart('Cookie banner');
  await expect(frame().locator('#cookie-banner').getByRole('heading')).toBeVisible();
});
