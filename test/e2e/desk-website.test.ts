import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkContent } from '#launch-check/check-content.ts';
import { TEST_CONTENT } from '../test-content.ts';
import { type OpenDesk, openDesk, deskActions } from './open-desk.ts';
import type { Request, Route } from '@playwright/test';
import { expect, type Page, test } from './site.ts';

let opened: OpenDesk;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.setTimeout(400_000);

test.beforeAll(async ({ browser }) => {
  // A hook has its own time limit.
  test.setTimeout(180_000);
  opened = await openDesk(browser, { people: 0, prepare: bringDemonstration });
  ({ page } = opened);
});
test.afterAll(() => opened.close());

const { expectAccessible, open, press, heading } = deskActions(() => page);
const frame = () => page.frameLocator('iframe:not(.loading)');
const readScroll = () =>
  frame()
    .locator('html')
    .evaluate((html) => html.scrollTop);
const openPart = async (name: string) => {
  await open('Website');
  await page.getByRole('link', { name, exact: true }).click();
  await expect(heading()).toHaveText(name);
};

test('a new owner replaces the demonstration with their own text and publishes it without touching a file', async () => {
  await expect(page.getByText(/^Nobody has signed up in the last/)).toBeVisible();
  await open('People');
  await expect(page.getByText('Nobody is on your list yet.')).toBeVisible();
  expect(checkContent(opened.folder).length).toBeGreaterThan(15);
  await change('Name and taglines', {
    Name: 'Harbour Lane',
    'Name in the company register': 'Harbour Lane Search Ltd',
  });
  await change('Addresses and offices', {
    Email: 'office@harbourlane.test',
    Website: 'https://harbourlane.test',
    'Your booking page': 'https://meet.harbourlane.test/first',
    'Its map': 'https://maps.harbourlane.test/?q=2+Shore+Lane',
  });
  await change('Company register', { 'Company number': 'SC123456', Street: '2 Shore Lane', Postcode: 'EH6 6QQ' });
  await change('You and former employers', {
    Name: 'Isla Reid',
    'Your profile on a social network': 'https://people.test/isla-reid',
  });
  await change('Data protection', {
    'Who is responsible for data protection': 'Isla Reid',
    Email: 'data@harbourlane.test',
  });
  await change('Founder', { 'Description of the portrait': '{founder} on the quay at Leith' });
  await change('Privacy policy', { 'Last updated': 'November 2026' });
  await addPictures();
  await writeOverUpdate();

  await open('Website');
  await expect(heading()).toHaveText('17 changes are not live yet');
  await press('Publish');
  await expect(heading()).toHaveText('Publishing your changes');
  await expectAccessible();
  await expect(heading()).toHaveText('Everything you wrote is live', { timeout: 200_000 });
  await expect(page.getByText('Previous versions')).toBeVisible();
  await expectAccessible();
  expect(checkContent(opened.findPublished())).toEqual([]);
  expect(await (await page.request.get(opened.siteUrl)).text()).toContain('<title>Harbour Lane');
});

test('the owner sees the real page while typing, and a list of the changes', async () => {
  await openPart('First screen');
  await expect(frame().getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByLabel('Headline').fill('Hire <b>sellers</b> who aren’t looking');
  await expect(frame().getByRole('heading', { level: 1 })).toHaveText('Hire <b>sellers</b> who aren’t looking');
  await expect(page.getByRole('link', { name: 'Publish 1 change' })).toBeVisible();
  await open('Website');
  await expect(heading()).toHaveText('One change is not live yet');
  await expect(page.locator('ins')).toHaveText('Hire <b>sellers</b> who aren’t looking');
  await expectAccessible();
});

test('reports a mistake while the owner types, and the preview keeps its last good state and scroll position', async () => {
  await openPart('FAQ');
  const questions = page.getByLabel('Question', { exact: true });
  const count = await questions.count();
  await press('Add a question');
  await expect(questions).toHaveCount(count + 1);
  await expect(frame().locator('#faq')).toBeVisible();
  await expect.poll(readScroll, 'the preview is scrolled to what the form changes').toBeGreaterThan(500);
  await questions.last().fill('What does a search cost?');
  await expect(page.getByText(/Draft saved at \d\d:\d\d/)).toBeVisible();
  await expect(
    page.locator('.field .error'),
    'a new entry is not reported as empty before the owner leaves it',
  ).toHaveCount(0);
  // The response to an earlier save arrives last.
  const earlier = await holdRenewal();
  await questions.last().fill('What does a search cost?  ');
  await earlier.isAsked;
  await page.getByLabel('Heading').focus();
  await expect(page.locator('.field .error')).toHaveText('This field is empty.');
  await earlier.answer();
  await expect(page.locator('.field .error')).toHaveText('This field is empty.');
  const answer = page.getByLabel('Answer').last();
  await answer.fill('{nmae} asks for a share of the pay.');
  await expect(answer).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('{nmae} is not a placeholder.')).toBeVisible();
  await expect(page.getByText('This preview is from before the mistake.')).toBeVisible();
  await expectAccessible();
  await expect(frame().getByText('What does a search cost?')).toHaveCount(0);
  const at = await readScroll();
  expect(at).toBeGreaterThan(500);
  await answer.fill('{name} asks for a share of the pay.');
  await expect(frame().getByText('What does a search cost?')).toBeAttached();
  await expect(answer).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('This preview is from before the mistake.')).toBeHidden();
  expect(await readScroll()).toBe(at);
});

test('every kind of page can be previewed, at computer size and in dark mode', async () => {
  await openPart('Welcome email');
  await page.getByLabel('Heading').fill('Welcome aboard');
  await expect(frame().getByRole('heading', { name: 'Welcome aboard' })).toBeVisible();
  await openPart('Privacy policy');
  await page.getByRole('link', { name: 'Computer' }).click();
  await page.getByRole('link', { name: 'Dark' }).click();
  await expect(frame().locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectAccessible();
  await openPart('Pictures');
  await expectAccessible();
  await openPart('Cookie banner');
  await expect(frame().locator('#ask-first').getByRole('heading')).toBeVisible();
});

/** Holds the next request for the page's messages. @returns the request, and a function that releases it */
async function holdRenewal() {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<Request>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    ask(route.request());
    await isReleased;
    await route.continue();
  };
  await page.route(/[?&]renewal=1/, hold, { times: 1 });
  const answer = async () => {
    release();
    await (await (await isAsked).response())!.finished();
    // The page has handled the response by the next frame but one.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  return { isAsked, answer };
}

/** Fills fields of a part by their labels, and expects the number of changes to grow with each. */
async function change(part: string, words: Record<string, string>): Promise<void> {
  await openPart(part);
  const before = await countChanges();
  for (const [label, text] of Object.entries(words)) await page.getByLabel(label, { exact: true }).first().fill(text);
  await expect.poll(countChanges).toBe(before + Object.keys(words).length);
}

/** Reads the number of changes from the button that leads to publishing. */
async function countChanges(): Promise<number> {
  const [words = '0'] = await page.getByRole('link', { name: /^Publish \d+ change/ }).allTextContents();
  return Number(/\d+/.exec(words));
}

async function addPictures(): Promise<void> {
  await openPart('Pictures');
  await page.getByLabel('Your portrait').setInputFiles(join(TEST_CONTENT, 'portrait.jpg'));
  // The first picture loads the image library.
  await expect(page.getByAltText('Your portrait, as it is now')).toBeVisible({ timeout: 30_000 });
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  await page
    .getByLabel('Your mark')
    .setInputFiles({ name: 'mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
  await expect(page.getByAltText('Your mark, as it is now')).toBeVisible();
}

async function writeOverUpdate(): Promise<void> {
  await open('Updates');
  await page.getByRole('link', { name: 'Pay in the north' }).click();
  await page.getByLabel('Text', { exact: true }).fill('# What we heard\n\nMore people want to stay near home.');
  await press('Save and preview');
  await expect(page.getByText('Saved.')).toBeVisible();
}

/** Puts the demonstration's text into each file that the owner will change. */
function bringDemonstration(folder: string): void {
  const replace = (file: string, words: Record<string, string>) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      Object.entries(words).reduce((all, [from, to]) => all.replaceAll(from, to), text),
    );
  };
  replace('agency.yaml', {
    'Quill & Harbour Search Limited': 'Larkfield Talent Ltd',
    'Quill & Harbour': 'Larkfield',
    SC999999: '00000000',
    '2 Shore Lane': '1 Example Street',
    'EH6 6QQ': 'EC1A 1AA',
    'Morag Quill': 'Rowan Lark',
    'Ailsa Harbour': 'Rowan Lark',
    'people.test/morag-quill': 'network.example/in/rowan-lark',
    'quillharbour.test': 'larkfield.example',
  });
  replace('home.yaml', { 'on the quay at Leith': 'drawn in dots' });
  replace('privacy-policy.md', { 'March 2026': 'August 2025' });
  rmSync(join(folder, 'portrait.jpg'));
  const update = '---\nsubject: Pay in the north\n---\n\n# Pay\n\nWhat moved is the first six months.\n';
  mkdirSync(join(folder, 'updates'));
  writeFileSync(join(folder, 'updates/2026-10-pay.md'), update);
}
