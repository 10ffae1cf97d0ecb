import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectNoFindingsAt } from '../accessibility/no-findings.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { seedList, WORDING } from './desk-list.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type RunningDesk, startDesk } from './running-desk.ts';

const REFUSED = 'person12@copperline.example';
let site: RunningSite;
let desk: RunningDesk;
let folder: string;
let mail: MailServer;
let page: Page;
let settings: Record<string, string>;

test.describe.configure({ mode: 'serial' });
test.setTimeout(180_000);

test.beforeAll(async ({ browser }) => {
  mail = await startMailServer(REFUSED);
  const sending = { SMTP_URL: mail.url, MAIL_HOURLY_CAP: '1000000' };
  site = await startSite({ env: sending });
  await seedList(site.dataDir, 200);
  folder = mkdtempSync(join(tmpdir(), 'desk-content-'));
  settings = {
    DATA_DIR: site.dataDir,
    PRIVATE_DIR: join(folder, 'private'),
    CONTENT_DIR: folder,
    SITE_URL: site.url,
    ...sending,
  };
  desk = await startDesk(settings);
  page = await browser.newPage();
  await page.goto(desk.address);
});
test.afterAll(async () => {
  await page.close();
  await desk.stop();
  await site.stop();
  await mail.stop();
  rmSync(folder, { recursive: true });
});

/** In light and dark, on a wide screen and on the narrowest: no rule of the desk's styles lies between phones. */
const expectWellMade = () => expectNoFindingsAt(page, [320, 1440]);
const open = async (name: string) => {
  const link = page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name });
  await link.click();
  // The page before it could still be there.
  await expect(link).toHaveAttribute('aria-current', 'page');
};
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const marked = () => page.getByRole('navigation', { name: 'Desk' }).locator('[aria-current]');
const heading = () => page.getByRole('heading', { level: 1 });

test('Today says what needs her, and has every figure as text', async () => {
  await expect(heading()).toHaveText('One thing needs you');
  await expect(page).toHaveURL(`${desk.url}/`);
  await expect(page.getByRole('heading', { name: 'No backup yet' })).toBeVisible();
  await expect(page.getByText('186people get your updates')).toBeVisible();
  await page.getByText('The same as a table').click();
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(13);
  await expectWellMade();
});

test('she finds one of 200 people by a part of the address, and reads what they agreed to', async () => {
  await open('People');
  await expect(page.getByText('1 to 50 of 200, the newest first')).toBeVisible();
  await expectWellMade();
  await page.getByRole('link', { name: 'Next 50' }).click();
  await expect(page.getByText('51 to 100 of 200')).toBeVisible();
  await page.getByLabel('Part of an address').fill('N19@tide');
  await press('Search');
  await page.getByRole('link', { name: 'person19@tidemark.example' }).click();
  await expect(page.getByText(`“${WORDING}”`)).toBeVisible();
  // A campaign parameter is what strangers write.
  await expect(page.getByText('utm_source=<b>linkedin</b>')).toBeVisible();
  await expectWellMade();
});

test('she corrects a role, exports one person, unsubscribes them, and is asked for the address to erase them', async () => {
  await page.locator('summary', { hasText: 'Correct' }).click();
  await page.getByLabel('Role').selectOption('Head of Talent');
  await press('Correct');
  await expect(page.getByRole('status').filter({ hasText: 'Corrected.' })).toBeFocused();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export this person' }).click();
  const kept = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(kept).toMatchObject({
    address: 'person19@tidemark.example',
    role: 'Head of Talent',
    consents: [{ wording: WORDING }],
  });
  await press('Unsubscribe');
  await expect(page.getByText('Unsubscribed. Nothing more is sent to them.')).toBeVisible();
  await page.getByLabel('Type the address to erase it').fill('person1@tidemark.example');
  await press('Erase for good');
  await expect(page.getByText('Nothing was erased.')).toBeVisible();
  await expect(page.getByLabel('Type the address to erase it')).toBeFocused();
  await expect(page.getByLabel('Type the address to erase it')).toHaveValue('person1@tidemark.example');
  await expectWellMade();
  await open('Updates');
  await page.goBack();
  await expect(page.getByText('Nothing was erased.')).toBeVisible();
  await page.getByLabel('Type the address to erase it').fill('person19@tidemark.example');
  await press('Erase for good');
  await expect(page.getByText('person19@tidemark.example is erased.')).toBeVisible();
  await expect(page.getByText('of 199, the newest first')).toBeVisible();
});

test('an import of 20 lines with three mistakes shows them first, and then adds the others', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `guest${index}@fair.example,Founder,2026-11-17`);
  lines[5] = 'guest5(at)fair.example,Founder,2026-11-17';
  lines[13] = '<script>alert(1)</script>@fair.example,Recruiter,2026-11-17';
  lines[19] = 'guest19@fair.example,Founder,2020-05-09';
  const file = join(folder, 'fair.csv');
  writeFileSync(file, `email,role,consent given\n${lines.join('\n')}\n`);
  await open('People');
  await page.getByRole('link', { name: 'Add people from a file' }).click();
  await expectWellMade();
  await page.getByLabel('The file').setInputFiles({ name: 'c.heic', mimeType: 'image/heic', buffer: Buffer.from('x') });
  await press('Show what it would do');
  await expect(page.getByText('c.heic: expected CSV whose first line names its columns')).toBeVisible();
  await page.getByLabel('The file').setInputFiles(file);
  await press('Show what it would do');
  await expect(heading()).toHaveText('What did they agree to?');
  await expectWellMade();
  await page.getByLabel('The sentence, word for word').fill('Yes, send me updates.');
  await page.getByLabel('Where').fill('Trade fair <b>2026</b>');
  await press('Look again');
  await expect(heading()).toHaveText('17 of 20 people would be added');
  await expect(page.getByRole('row', { name: /^7 guest5\(at\)/ })).toContainText('Expected an email address');
  await expect(page.getByRole('row', { name: /^15 <script>/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^21 / })).toContainText('two years');
  await expectWellMade();
  await press('Add 17 people');
  await expect(page.getByText('17 people added from the file.')).toBeVisible();
  await expect(page.getByText('of 216, the newest first')).toBeVisible();
});

test('the people of one state are exported as a table', async () => {
  await page.getByRole('link', { name: /^Unsubscribed/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export all unsubscribed' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toContain('"address","state"');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(1).every((line) => line.includes('"unsubscribed"'))).toBe(true);
});

test('she writes an update; her words are kept as she types, and shown as a mail', async () => {
  await open('Updates');
  await page.getByRole('link', { name: 'Write an update' }).first().click();
  await expectWellMade();
  await page.getByLabel('Subject').fill('What <i>AEs</i> earned & why');
  await page.getByLabel('Second line').fill('Base pay stood still.');
  await page.getByLabel('Text', { exact: true }).fill('# What AEs earned\n\nThree things repeated.\n\n- **one**\n');
  await expect(page.getByText(/Draft kept at \d\d:\d\d/)).toBeVisible();
  const areSent = await page.getByRole('button', { name: 'Save and show' }).evaluate((button: HTMLButtonElement) => {
    const sent: boolean[] = [];
    addEventListener('submit', (event) => {
      sent.push(!event.defaultPrevented);
      event.preventDefault();
    });
    button.click();
    button.click();
    return sent;
  });
  expect(areSent, 'a double click').toEqual([true, false]);
  await page.reload();
  await expect(page.getByLabel('Subject')).toHaveValue('What <i>AEs</i> earned & why');
  await press('Save and show');
  await expect(page).toHaveURL(/\/updates\/write\/\d{4}-\d\d-what-i-aes-i-earned-why/);
  const [name, ...others] = readdirSync(join(folder, 'updates'));
  expect(others).toEqual([]);
  expect(readFileSync(join(folder, 'updates', name!), 'utf8')).toMatch(
    /^---\nsubject: "What <i>AEs<\/i> earned & why"\n/,
  );
  const preview = page.frameLocator('iframe[title="The email, light"]');
  await expect(preview.getByRole('heading', { name: 'What AEs earned' })).toBeVisible();
  await expectWellMade();
});

test('the words and roles of the last second are on the next page, and nothing goes out without them', async () => {
  const text = page.getByLabel('Text', { exact: true });
  await text.fill('# What AEs earned\n\nThree things repeated, and a fourth.\n');
  await page.getByLabel('Other').uncheck();
  await page.getByRole('link', { name: 'Plain text' }).click();
  await expect(page.locator('pre')).toContainText('Three things repeated.');
  await expect(text).toHaveValue(/and a fourth/);
  await expect(page.getByLabel('Other')).not.toBeChecked();
  await page.getByLabel('A test to').fill('me@example.org');
  await press('Send a test');
  await expect(page.getByText('Your last words are not saved, so nothing was sent.')).toBeVisible();
  await expect(page.getByLabel('A test to')).toHaveValue('me@example.org');
  expect(mail.recipients).toEqual([]);
  await page.getByLabel('Other').check();
  await press('Save and show');
  await expect(page.getByText('Saved.')).toBeVisible();
});

test('words typed while the desk has ended are there when it is opened again', async () => {
  const text = page.getByLabel('Text', { exact: true });
  await desk.stop();
  await text.fill('# What AEs earned\n\nThree things repeated.\n');
  await press('Send a test');
  await expect(page.getByText('The desk does not answer. Your words stay in this browser')).toBeInViewport();
  const address = page.url();
  desk = await startDesk(settings, new URL(desk.url).port);
  await press('Save and show');
  await expect(page.getByText('Open the address that your terminal shows.')).toBeVisible();
  await page.goto(desk.address);
  await page.goto(address);
  await expect(text).toHaveValue('# What AEs earned\n\nThree things repeated.\n');
  await press('Save and show');
  await expect(page.getByText('Saved.')).toBeVisible();
});

test('a file that changed on disk is not written over, and her words stay', async () => {
  const [name] = readdirSync(join(folder, 'updates'));
  const file = join(folder, 'updates', name!);
  const changed = readFileSync(file, 'utf8').replace('Three things', 'Four things');
  writeFileSync(file, changed);
  await page.getByLabel('Text', { exact: true }).fill('# Mine\n\nMy words.\n');
  await press('Save and show');
  await expect(page.getByText('changed on disk since you opened it')).toBeVisible();
  await expectWellMade();
  expect(readFileSync(file, 'utf8')).toBe(changed);
  await expect(page.getByLabel('Text', { exact: true })).toHaveValue(/My words/);
  await press('Save and show');
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(readFileSync(file, 'utf8')).toContain('My words');
});

test('a file that is no picture is refused with its name, dropped or chosen, and her words stay', async () => {
  const text = page.getByLabel('Text', { exact: true });
  await text.evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['words'], 'note.txt'));
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('note.txt: expected a picture that emails show: JPEG, PNG or GIF.')).toBeVisible();
  await text.fill('# Mine\n\nMy other words.\n');
  await page.getByText('Add a picture from a file').click();
  await page.getByLabel('Picture').setInputFiles({ name: 'c.heic', mimeType: 'image/heic', buffer: Buffer.from('x') });
  await press('Save and show');
  await expect(page.getByText('c.heic: expected a picture that emails show: JPEG, PNG or GIF.')).toBeVisible();
  await expect(text).toHaveValue(/My other words/);
  await press('Save and show');
  await expect(page.getByText('Saved.')).toBeVisible();
  const [name] = readdirSync(join(folder, 'updates'));
  expect(readFileSync(join(folder, 'updates', name!), 'utf8')).toContain('My other words');
});

test('an update can be written whatever its file is called', async () => {
  const file = join(folder, 'updates', 'Your year & ours, für Dezember.md');
  writeFileSync(file, '---\nsubject: Your year\npreview: And ours\n---\n\nHello.\n');
  await open('Updates');
  await page.getByRole('link', { name: 'Your year' }).click();
  await page.getByLabel('Text', { exact: true }).fill('Hello again.');
  await press('Save and show');
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(readFileSync(file, 'utf8')).toContain('Hello again.');
  rmSync(file);
  await open('Updates');
  await page.getByRole('link', { name: 'What <i>AEs</i>' }).click();
});

test('a preview may run and load nothing, and only the desk frames it', async () => {
  const answer = await page.request.get(`${page.url().split('?')[0]}/mail/light`);
  expect(answer.headers()['content-security-policy']).toBe(
    "frame-ancestors 'self'; sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
  );
});

test('she sends herself a test, then the update to some roles, with the number typed', async () => {
  await page.getByLabel('A test to').fill('owner@example.org');
  await press('Send a test');
  await expect(page.getByText(/A test is sent to owner@example\.org/)).toBeVisible();
  expect(mail.recipients).toEqual(['owner@example.org']);
  await page.getByLabel('Other').uncheck();
  await press('Save and show');
  await page.getByLabel('At a time in London').check();
  await page.getByLabel('Day').fill('2090-12-01');
  await page.getByLabel(/^Type \d+ to send it/).fill('3');
  await press(/^Send to \d+$/);
  await expect(page.getByText('You typed 3, and this goes to')).toBeVisible();
  await expect(page.getByLabel('At a time in London')).toBeChecked();
  await expect(page.getByLabel('Day')).toHaveValue('2090-12-01');
  await page.getByLabel('Now').check();
  mail.delay = 1000;
  const label = await page.getByText(/^Type \d+ to send it/).textContent();
  await page.getByLabel(/^Type \d+ to send it/).fill(/\d+/.exec(label!)![0]);
  await press(/^Send to \d+$/);
  await expect(heading()).toHaveText(/^Sending to 1\d\d people$/);
  await expectWellMade();
});

test('she pauses it, goes on, and everybody it is for has it once', async () => {
  await expect(() => expect(mail.recipients.length).toBeGreaterThan(5)).toPass();
  await press('Pause');
  await expect(heading()).toHaveText(/^Paused after \d+ of/);
  await expectWellMade();
  await open('Today');
  await page.getByRole('link', { name: 'See why' }).click();
  mail.delay = 0;
  const goOn = page.getByRole('button', { name: /^Go on with/ });
  await goOn.first().click();
  await expect(page.getByText('It goes on. Nobody gets it twice.')).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(heading()).toHaveText(/^Sent to/, { timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expectWellMade();
  expect(new Set(mail.recipients).size).toBe(mail.recipients.length);
});

test('an undeliverable person is put back', async () => {
  await page.getByRole('link', { name: REFUSED }).click();
  await expect(page.getByRole('heading', { name: 'Email does not reach this person' })).toBeVisible();
  await expect(page.getByText(/The mail server refuses this recipient \(.*5\.1\.1.*\)\. If they say/)).toBeVisible();
  await press('Put back');
  await expect(page.getByText('Put back: your next update goes to them again.')).toBeVisible();
});

test('she makes a backup, and tries it', async () => {
  await open('Backup');
  await press('Make a backup');
  await expect(heading()).toHaveText(/^Last backup/);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /^backup-.*\.db$/ }).click();
  const backup = readFileSync(await (await download).path());
  expect(backup.subarray(0, 15).toString()).toBe('SQLite format 3');
  await press(/^Try /);
  await expect(page.getByText('is whole: 216 people came back from it')).toBeVisible();
  await expectWellMade();
  writeFileSync(join(folder, 'private/broken.db'), 'no database');
  await open('Backup');
  await page.getByRole('button', { name: 'Try it: broken.db' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('main').getByText('Backup', { exact: true })).toBeHidden();
});

test('launch says where the check is made, and nothing needs her any more', async () => {
  await open('Launch');
  await expectWellMade();
  await open('Updates');
  await expectWellMade();
  for (const address of ['/people/leaving', '/deliveries', '/nowhere']) {
    await page.goto(desk.url + address);
    await expectWellMade();
    if (address === '/deliveries') await expect(marked()).toHaveText('Today');
  }
  await open('Today');
  await expect(heading()).toHaveText('Nothing needs you');
});
