import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type OpenDesk, openDesk, deskActions } from './open-desk.ts';
import { expect, type Page, test } from './site.ts';

const REFUSED = 'person12@copperline.example';
let opened: OpenDesk;
let mail: MailServer;
let page: Page;
let releaseMails: () => void;

test.describe.configure({ mode: 'serial' });
test.setTimeout(180_000);

test.beforeAll(async ({ browser }) => {
  // A hook has its own time limit.
  test.setTimeout(180_000);
  mail = await startMailServer(REFUSED);
  opened = await openDesk(browser, { people: 60, sending: { SMTP_URL: mail.url, MAIL_HOURLY_CAP: '1000000' } });
  ({ page } = opened);
  await page.clock.install();
});
test.afterAll(async () => {
  await opened.close();
  await mail.stop();
});

const { expectAccessible, open, press, heading } = deskActions(() => page);
const text = () => page.getByLabel('Text', { exact: true });
const save = async () => {
  await press('Save and preview');
  await expect(page.getByText('Saved.')).toBeVisible();
};
const expectDraftKept = async (window = page) => {
  await window.clock.fastForward(1000);
  await expect(window.getByText(/Draft saved at \d\d:\d\d/)).toBeVisible();
};
/** Types the number that the page names, and sends. */
const typeAndSend = async () => {
  const label = await page.getByText(/^Type \d+ to send it/).textContent();
  await page.getByLabel(/^Type \d+ to send it/).fill(/\d+/.exec(label!)![0]);
  await press(/^Send to \d+$/);
};
/** The subject and text of each update on the desk. */
const readTexts = () => {
  using database = new DatabaseSync(join(opened.dataDir, 'sign-ups.db'), { readOnly: true });
  const rows = database.prepare('select subject, text from emails').all() as { subject: string; text: string }[];
  return rows.map(({ subject, text: words }) => `${subject}: ${words}`);
};

test('the owner writes an update, which is saved as a draft on every change and previewed as an email', async () => {
  await open('Updates');
  await page.getByRole('link', { name: 'Write an update' }).first().click();
  // A screen reader would announce an empty one as “status bar”.
  await expect(page.getByRole('status')).toHaveCount(0);
  await page.getByLabel('Subject').fill('What <i>AEs</i> earned & why');
  await page.getByLabel('Preview text').fill('Base pay stood still.');
  await text().fill(
    '# What AEs earned\n\nThree things repeated.\n\n- **one**\n\nhttps://a.example/long-'.concat('x'.repeat(90)),
  );
  await expectDraftKept();
  const areSent = await page.getByRole('button', { name: 'Save and preview' }).evaluate((button: HTMLButtonElement) => {
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
  await press('Save and preview');
  await expect(page).toHaveURL(/\/updates\/write\/\d{4}-\d\d-what-i-aes-i-earned-and-why/);
  expect(readTexts()).toEqual([expect.stringMatching(/^What <i>AEs<\/i> earned & why: # What AEs earned/)]);
  const preview = page.frameLocator('iframe[title="The email in light mode"]');
  await expect(preview.getByRole('heading', { name: 'What AEs earned' })).toBeVisible();
  const tooWide = await preview.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(tooWide, 'a long address breaks').toBeLessThanOrEqual(0);
  await expectAccessible();
});

test('text typed in the last second appears on the next page, and nothing is sent without it', async () => {
  await text().fill('# What AEs earned\n\nThree things repeated, and a fourth.\n');
  await page.getByLabel('Other').uncheck();
  await page.getByRole('link', { name: 'Plain text' }).click();
  await expect(page.locator('pre')).toContainText('Three things repeated.');
  await expect(text()).toHaveValue(/and a fourth/);
  await expect(page.getByLabel('Other')).not.toBeChecked();
  await page.getByLabel('Send a test to').fill('me@example.org');
  await press('Send a test');
  await expect(page.getByText('The text has changed since this page was shown, so nothing was done.')).toBeVisible();
  await expect(page.getByLabel('Send a test to')).toHaveValue('me@example.org');
  expect(mail.recipients).toEqual([]);
  await page.getByLabel('Other').check();
  await save();
});

test('text typed while the desk is not running is there when it is opened again', async () => {
  await opened.stop();
  await text().fill('# What AEs earned\n\nThree things repeated.\n');
  await press('Send a test');
  await expect(page.getByText('The desk isn’t responding. Your text is saved in this browser')).toBeInViewport();
  await opened.restart();
  await page.reload();
  await expect(text()).toHaveValue('# What AEs earned\n\nThree things repeated.\n');
  await save();
});

test('an outdated window says so, and keeps its text until the owner overwrites the newer version', async () => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  const othersText = other.getByLabel('Text', { exact: true });
  await text().fill('From the first window.\n');
  await expectDraftKept();
  await othersText.fill('From the second window.\n');
  await other.clock.fastForward(1000);
  await expect(other.getByText('Another window has changed this update since.')).toBeVisible();
  await other.reload();
  await expect(othersText).toHaveValue('From the second window.\n');
  await page.reload();
  await expect(text(), 'nothing was written over it').toHaveValue('From the first window.\n');
  // The message may be on the page before.
  await Promise.all([other.waitForEvent('load'), other.getByRole('button', { name: 'Save and preview' }).click()]);
  await expect(other.getByRole('main').getByText('Another window has changed this update since.')).toBeVisible();
  await expect(othersText).toHaveValue('From the second window.\n');
  await other.getByRole('button', { name: 'Save and preview' }).click();
  await expect(other.getByText('Saved.')).toBeVisible();
  expect(readTexts()).toEqual([expect.stringContaining('From the second window.')]);
  await other.close();
  await page.reload();
});

test('a file that isn’t a picture is rejected by name, and the text is kept', async () => {
  await text().evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['words'], 'note.txt'));
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('note.txt: expected a picture: JPEG, PNG, GIF or WebP.')).toBeVisible();
  await text().fill('# Mine\n\nMy **other ** words.\n');
  await page.getByText('Add a picture from a file').click();
  await page.getByLabel('Picture').setInputFiles({ name: 'c.heic', mimeType: 'image/heic', buffer: Buffer.from('x') });
  await press('Save and preview');
  await expect(page.getByText('c.heic: expected a picture: JPEG, PNG, GIF or WebP.')).toBeVisible();
  await expect(text()).toHaveValue(/other \*\* words/);
  await save();
  expect(readTexts()).toEqual([expect.stringContaining('My **other ** words')]);
  await expect(page.getByText(/^\*\* will be sent as typed/)).toBeVisible();
});

test('an update can have any file name', async () => {
  const file = join(opened.folder, 'updates', '%41 your year & ours, für #1.md');
  mkdirSync(join(opened.folder, 'updates'), { recursive: true });
  writeFileSync(file, '---\nsubject: Your year\npreview: And ours\n---\n\nHello.\n');
  await open('Updates');
  await page.getByRole('link', { name: 'Your year' }).click();
  await text().fill('Hello again.');
  await press('Send a test');
  await expect(page.getByText('The text has changed since this page was shown, so nothing was done.')).toBeVisible();
  await save();
  expect(readTexts()).toContainEqual(expect.stringContaining('Hello again.'));
  rmSync(file);
  await page.getByText('Remove this update').click();
  await press('Remove');
  await open('Updates');
  await page.getByRole('link', { name: 'What <i>AEs</i>' }).click();
});

test('a preview can run no script and load nothing, and only the desk can frame it', async () => {
  const response = await page.request.get(`${page.url().split('?')[0]}/mail/light`);
  expect(response.headers()['content-security-policy']).toBe(
    "frame-ancestors 'self'; sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
  );
  const picture = page.frameLocator('iframe[title="The email in light mode"]').locator('img').first();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test('the owner sends a test, schedules the update for some roles, and cancels it', async () => {
  await page.getByLabel('Send a test to').fill('owner@example.org');
  await press('Send a test');
  await expect(page.getByText(/A test has been sent to owner@example\.org/)).toBeVisible();
  expect(mail.recipients).toEqual(['owner@example.org']);
  await page.getByLabel('Other').uncheck();
  await save();
  await page.getByLabel('Later (London time)').check();
  await page.getByLabel('Day').fill('2090-12-01');
  await page.getByLabel(/^Type \d+ to send it/).fill('3');
  await press(/^Send to \d+$/);
  await expect(page.getByText('You typed 3, but this goes to')).toBeVisible();
  await expect(page.getByLabel('Later (London time)')).toBeChecked();
  await expect(page.getByLabel('Day')).toHaveValue('2090-12-01');
  await typeAndSend();
  await expect(heading()).toHaveText(/^Scheduled for \d\d people on Friday 1 December 2090, 09:00 London$/);
  await expect(page.getByText(/^Stops it for good\. \d\d people won’t get it\.$/)).toBeVisible();

  const scheduledAt = page.url();
  await open('Updates');
  await page.getByRole('definition').filter({ hasText: 'Scheduled' }).locator('..').getByRole('link').click();
  const original = await text().inputValue();
  await text().fill(`${original}\n\nOne word is corrected.`);
  await save();
  const earlier = page.getByText('The earlier version goes out on Friday 1 December at 09:00 London.');
  await expect(earlier).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel it' })).toBeVisible();
  await press('Send this version instead');
  await expect(page.getByText('This version will go out instead of the earlier one.')).toBeVisible();
  await expect(earlier).toBeHidden();
  await expect(page.getByText('It goes out on Friday 1 December at 09:00 London.')).toBeVisible();
  await text().fill(original);
  await save();
  await expect(earlier).toBeVisible();
  await press('Send this version instead');

  await page.goto(scheduledAt);
  await page.getByText('Cancel for good').click();
  await press('Yes, cancel it for good');
  await expect(heading()).toHaveText('Cancelled before anybody got it');
});

test('an owner in New York sees each time in London, and on their own clock', async () => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
  await page.goto(opened.url);
  await page.goto(opened.url);
  await expect(page.locator('.eyebrow')).toHaveText(/ \d\d:\d\d London \((\w+ )?\d\d:\d\d New York\)$/);
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: '' });
  await page.goto(opened.url);
  await page.goto(opened.url);
  await expect(page.locator('.eyebrow')).toHaveText(/ \d\d:\d\d London$/);
});

test('the owner types the number of people and sends the update now', async () => {
  await open('Updates');
  await page.getByRole('definition').filter({ hasText: 'Cancelled' }).locator('..').getByRole('link').click();
  releaseMails = mail.holdAfter(5);
  await typeAndSend();
  await expect(heading()).toHaveText(/^Sending to \d\d people$/);
  await expect(page.getByText('It is being sent now')).toBeVisible();
});

test('the owner pauses and resumes the update, and everybody gets it once', async () => {
  // The page reloads itself, as cancelling would.
  await expect(async () => {
    await page.clock.fastForward(3000);
    await expect(page.getByText(/; [1-9]\d* already ha(s|ve) it/)).toBeVisible({ timeout: 500 });
  }).toPass();
  await press('Pause');
  await expect(heading()).toHaveText(/^Paused after \d+ of/);
  await expectAccessible();
  const [reached, recipients] = (await heading().textContent())!.match(/\d+/g)!.map(Number);
  // Emails in flight are still waiting for a reply.
  await expect(page.getByRole('button', { name: `Resume sending to ${recipients! - reached!}` })).toBeVisible();
  await open('Updates');
  await expect(page.getByRole('definition').filter({ hasText: 'Paused' })).toHaveCount(1);
  await open('Today');
  await page.getByRole('link', { name: 'See why' }).click();
  const goOn = page.getByRole('button', { name: /^Resume sending/ });
  await goOn.first().click();
  await expect(page.getByText('Sending has resumed. Nobody will get it twice.')).toBeVisible();
  releaseMails();
  await expect(async () => {
    await page.clock.fastForward(3000);
    await expect(heading()).toHaveText(/^Sent to/, { timeout: 500 });
  }).toPass();
  await expectAccessible();
  expect(new Set(mail.recipients).size).toBe(mail.recipients.length);
});

test('the owner resubscribes an undeliverable person', async () => {
  await page.getByRole('link', { name: REFUSED }).click();
  await expect(page.getByRole('heading', { name: 'Emails aren’t reaching this person' })).toBeVisible();
  await expect(page.getByText(/The mail server rejects this recipient \(.*5\.1\.1.*\)\. If they say/)).toBeVisible();
  await press('Resubscribe');
  await expect(page.getByText('Resubscribed. They’ll get your next update.')).toBeVisible();
});

test('a new draft is listed once, whatever another window does, and can be removed', async () => {
  await open('Updates');
  await page.getByRole('link', { name: 'Write an update' }).click();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await text().fill('First draft.');
  await expectDraftKept();
  await text().fill('First draft, and more.');
  await other.goto(new URL('/desk/people', page.url()).href);
  await other.close();
  await open('Updates');
  await expect(page.getByRole('definition').filter({ hasText: 'Not saved yet' })).toHaveCount(1);
  await page.getByRole('link', { name: 'No subject yet' }).click();
  await expect(text()).toHaveValue(/^First draft, and more\.\n?$/);
  await page.getByText('Remove this update').click();
  await press('Remove');
  await expect(heading()).toHaveText('Updates');
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
});
