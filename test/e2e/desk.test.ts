import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORDING } from './desk-list.ts';
import { type OpenDesk, openDesk, deskActions } from './open-desk.ts';
import { expect, type Page, test } from './site.ts';

let opened: OpenDesk;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.setTimeout(180_000);

test.beforeAll(async ({ browser }) => {
  // A hook has its own time limit.
  test.setTimeout(180_000);
  opened = await openDesk(browser, { people: 400, sending: { NOTIFY_TO: 'owner@example.org' } });
  ({ page } = opened);
});
test.afterAll(() => opened.close());

const { expectAccessible, open, press, heading } = deskActions(() => page);
const download = async (link: string | RegExp) => {
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  return readFileSync(await (await started).path());
};

test('Today lists what needs the owner’s attention, and gives every figure as text', async () => {
  await expect(heading()).toHaveText('One thing needs your attention');
  await expect(page).toHaveURL(opened.url);
  await expect(page.getByRole('heading', { name: 'No backup yet' })).toBeVisible();
  await expect(page.getByText('372people get your updates')).toBeVisible();
  await page.getByText('Show as a table').click();
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(13);
  await expectAccessible();
});

test('the owner finds one of 400 people by part of the address, and sees what they agreed to', async () => {
  await open('People');
  await expect(page.getByText('1 to 50 of 400, newest first')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveText('123…8Next page');
  // A long address doesn't make the other cells wrap.
  const heights = await page
    .locator('td .state')
    .evaluateAll((all: HTMLElement[]) => all.map((each) => each.offsetHeight));
  expect(Math.max(...heights)).toBeLessThan(30);
  await expectAccessible();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page.getByText('51 to 100 of 400')).toBeVisible();
  await page.goto(`${opened.url}/people?page=99`);
  await expect(page.getByText('351 to 400 of 400')).toBeVisible();
  await page.getByLabel('Part of an address').fill('N19@tide');
  await press('Search');
  await page.getByRole('link', { name: 'person19@tidemark.example' }).click();
  await expect(page.getByText(`“${WORDING}”`)).toBeVisible();
  // Campaign parameters are untrusted input.
  await expect(page.getByText('utm_source=<b>linkedin</b>')).toBeVisible();
});

test('the owner corrects a role, exports a person, unsubscribes them, and must type the address to erase them', async () => {
  await page.locator('summary', { hasText: 'Correct' }).click();
  await page.getByLabel('Role').selectOption('Head of Talent');
  await press('Correct');
  await expect(page.getByRole('status').filter({ hasText: 'Corrected.' })).toBeFocused();
  const kept = await download('Export this person');
  expect(JSON.parse(kept.toString())).toMatchObject({
    email: 'person19@tidemark.example',
    role: 'Head of Talent',
    consents: [{ wording: WORDING }],
  });
  await press('Unsubscribe');
  await expect(page.getByText('Unsubscribed. They won’t be sent anything more.')).toBeVisible();
  await expect(page.getByText('You unsubscribed them')).toBeVisible();
  // The notice to the owner doesn't count as an email to this person.
  await expect(page.getByText('Deleted: the address, the role, the consent.')).toBeVisible();
  await page.getByLabel('Type the address to erase this person').fill('person1@tidemark.example');
  await press('Erase permanently');
  await expect(page.getByText('Nothing was erased.')).toBeVisible();
  await expect(page.getByLabel('Type the address to erase this person')).toBeFocused();
  await expect(page.getByLabel('Type the address to erase this person')).toHaveValue('person1@tidemark.example');
  await expectAccessible();
  await open('Updates');
  await page.goBack();
  await expect(page.getByText('Nothing was erased.')).toBeVisible();
  await page.getByLabel('Type the address to erase this person').fill('person19@tidemark.example');
  await press('Erase permanently');
  await expect(page.getByText('person19@tidemark.example has been erased.')).toBeVisible();
  await expect(page.getByText('of 399, newest first')).toBeVisible();
});

test('importing 20 lines shows the three mistakes first, then adds the other 17', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `guest${index}@fair.example,Founder,11/10/2026`);
  lines[5] = 'guest5(at)fair.example,Founder,11/10/2026';
  lines[13] = '<script>alert(1)</script>@fair.example,Recruiter,11/10/2026';
  lines[19] = 'guest19@fair.example,Founder,05/09/2020';
  const file = join(opened.folder, 'fair.csv');
  writeFileSync(file, `email,role,consent given\n${lines.join('\n')}\n`);
  await open('People');
  await page.getByRole('link', { name: 'Add people from a file' }).click();
  await expectAccessible();
  await page.getByLabel('The file').setInputFiles({ name: 'c.heic', mimeType: 'image/heic', buffer: Buffer.from('x') });
  await press('Preview the import');
  await expect(page.getByText('c.heic: expected CSV whose first line names its columns')).toBeVisible();
  await page.getByLabel('The file').setInputFiles(file);
  await press('Preview the import');
  await expect(heading()).toHaveText('How are the dates written?');
  await page.getByLabel('How the file writes dates').selectOption('The month first: 10 Nov 2026');
  await press('Refresh');
  await expect(heading()).toHaveText('What did they agree to?');
  await expectAccessible();
  await page.getByLabel('The sentence, word for word').fill('Yes, send me updates.');
  await page.getByLabel('Where').fill('Trade fair <b>2026</b>');
  await press('Refresh');
  await expect(heading()).toHaveText('17 of 20 people would be added');
  await expect(page.getByRole('row', { name: /^7 / })).toContainText('but found "guest5(at)fair.example"');
  await expect(page.getByRole('row', { name: /^15 / })).toContainText('<script>');
  await expect(page.getByRole('row', { name: /^21 / })).toContainText('two years');
  await expectAccessible();
  await page.getByLabel('Where').fill('Spring fair');
  await page.getByLabel('Where').press('Enter');
  await expect(page.getByRole('cell', { name: 'Spring fair' }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: '17 of 20 people would be added' })).toBeVisible();
  await press('Add 17 people');
  await expect(page.getByText('17 people added from the file.')).toBeVisible();
  await expect(page.getByText('of 416, newest first')).toBeVisible();
  await page.getByLabel('Part of an address').fill('guest0@');
  await press('Search');
  await page.getByRole('link', { name: 'guest0@fair.example' }).click();
  await expect(page.getByText('Agreed on Tuesday 10 November 2026, according to your import.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: '10 Nov 2026' })).toContainText('They agreed');
  await open('People');
});

test('an export contains only subscribed people, unless the owner chooses everybody', async () => {
  await page.getByRole('link', { name: 'Export' }).click();
  await expectAccessible();
  const subscribed = (await download('Download subscribed-people.csv')).toString().trim().split('\r\n');
  expect(subscribed[0]).toContain('"email","state"');
  expect(subscribed.slice(1).every((line) => line.includes('"subscribed"'))).toBe(true);
  expect((await download('Download everybody.csv')).toString()).toContain('"unsubscribed"');
  const everybody = JSON.parse((await download('Download everybody-with-evidence.json')).toString());
  expect(everybody[0].consents[0]).toMatchObject({ event: 'given' });
  await open('People');
});

test('the owner makes a backup, and it is verified', async () => {
  await open('Backup');
  await press('Make a backup');
  // A backup that takes longer has its own page.
  await expect(page.getByText('with 416 people, and checked it').first()).toBeVisible();
  await open('Backup');
  await expect(heading()).toHaveText(/^Last backup/);
  const backup = await download(/^backup-.*\.db$/);
  expect(backup.subarray(0, 15).toString()).toBe('SQLite format 3');
  await expectAccessible();
});

test('without JavaScript, a form reports its result once', async ({ browser }) => {
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, storageState });
  const plain = await context.newPage();
  await plain.goto(`${opened.url}/settings`);
  await plain.getByLabel('Emails an hour').fill('150');
  await plain.locator('form', { hasText: 'Emails an hour' }).getByRole('button', { name: 'Save' }).click();
  await expect(plain.getByRole('status')).toHaveText(/^Saved/);
  await plain.reload();
  await expect(plain.getByRole('status')).toHaveCount(0);
  await context.close();
});

test('the launch check, the updates, the waiting emails and an unknown page are accessible, and Today has nothing left to do', async () => {
  await open('Website');
  await page.getByRole('link', { name: 'Before you launch' }).click();
  await expectAccessible();
  await open('Updates');
  await expectAccessible();
  for (const address of ['/deliveries', '/nowhere']) {
    await page.goto(opened.url + address);
    await expectAccessible();
    const marked = page.getByRole('navigation', { name: 'Desk' }).locator('[aria-current]');
    if (address === '/deliveries') await expect(marked).toHaveText('Today');
  }
  await open('Today');
  await expect(heading()).toHaveText('Finish your first steps');
});
