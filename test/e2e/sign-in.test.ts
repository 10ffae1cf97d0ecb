import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { startSite } from '../running-site.ts';
import { makeDeskLink } from '../sign-in.ts';
import { expectNoFindingsAt, expectToFit } from '../accessibility/no-findings.ts';
import { expect, type Page, test } from './site.ts';

test.setTimeout(180_000);

test('the owner signs in with a link, adds a passkey, signs in with it, and signs in with a code without email or passkey', async ({
  browser,
}) => {
  const site = await startSite({ isDeskLocal: true });
  const context = await browser.newContext();
  const page = await context.newPage();
  await addAuthenticator(context, page);

  await page.goto(`${site.url}/desk`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await expectToFit(page, 320);
  await expectNoFindingsAt(page, [390, 1440]);
  await page.goto(await makeDeskLink(site));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to your desk');
  await expectNoFindingsAt(page, [390, 1440]);
  await page.getByRole('button', { name: 'Sign in on this browser' }).click();
  await page.getByLabel('Your email address').fill('clara@example.org');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect(page.getByText('clara@example.org, this one')).toBeVisible();
  await page.getByRole('button', { name: 'Add this device' }).click();
  await expect(page.getByRole('button', { name: 'Remove Chrome on Linux of clara@example.org' })).toBeVisible();
  await expectNoFindingsAt(page, [390, 1440]);
  await expect.poll(() => readMails(site.dataDir).join()).toContain('added a passkey');

  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByRole('button', { name: 'Use fingerprint, face or PIN' }).click();
  await expect(page).toHaveURL(`${site.url}/desk`);

  // A phone that opens the email doesn't sign in: the code is typed where the link was requested.
  const laptop = await browser.newContext();
  const asking = await laptop.newPage();
  await asking.goto(`${site.url}/desk/people`);
  await asking.getByLabel('Your email address').fill('clara@example.org');
  await asking.getByRole('button', { name: 'Email me a link' }).click();
  await expect(asking.getByRole('heading', { level: 1 })).toHaveText('Look at your email');
  await expectNoFindingsAt(asking, [390, 1440]);
  const findMail = () => readMails(site.dataDir).find((mail) => mail.includes('/desk/sign-in/'));
  await expect.poll(findMail).toBeDefined();
  const phone = await browser.newContext();
  const elsewhere = await phone.newPage();
  await elsewhere.goto(/http\S+\/desk\/sign-in\/[\w-]{43}/.exec(findMail()!)![0]);
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Nearly there');
  await asking.getByLabel(/Type its code here/).fill(/asked: (\w{4} \w{4})/.exec(findMail()!)![1]!);
  await asking.getByRole('button', { name: 'Sign in' }).click();
  await expect(asking).toHaveURL(`${site.url}/desk/people`);

  // A removed passkey no longer works, and signing out everywhere signs out every browser.
  await asking.goto(`${site.url}/desk/settings`);
  await asking.getByRole('button', { name: /^Remove Chrome on Linux/ }).click();
  await expect(asking.getByText('The passkey no longer opens your desk.')).toBeVisible();
  await asking.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(asking.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await page.goto(`${site.url}/desk`);
  await page.getByRole('button', { name: 'Use fingerprint, face or PIN' }).click();
  await expect(page.getByText('This passkey doesn’t open this desk.')).toBeVisible();
  for (const each of [context, laptop, phone]) await each.close();
  await site.stop();
});

test('the owner signs in with a passkey while no mail server can be reached', async ({ browser }) => {
  const site = await startSite({ isDeskLocal: true, env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  const context = await browser.newContext();
  const page = await context.newPage();
  await addAuthenticator(context, page);
  await page.goto(await makeDeskLink(site));
  await page.getByRole('button', { name: 'Sign in on this browser' }).click();
  await page.getByLabel('Your email address').fill('clara@example.org');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('button', { name: 'Add this device' }).click();
  await expect(page.getByRole('button', { name: 'Remove Chrome on Linux of clara@example.org' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByRole('button', { name: 'Use fingerprint, face or PIN' }).click();
  await expect(page).toHaveURL(`${site.url}/desk`);
  await expect.poll(site.said).toContain('an email about a new way to sign in was not sent');
  await context.close();
  await site.stop();
});

test('text typed after signing out elsewhere is kept, and saved after signing in again', async ({ browser }) => {
  const site = await startSite({ isDeskLocal: true });
  const context = await browser.newContext();
  const [page, other] = [await context.newPage(), await context.newPage()];
  const signIn = async (tab: Page) => {
    await tab.goto(await makeDeskLink(site));
    await tab.getByRole('button', { name: 'Sign in on this browser' }).click();
  };
  await signIn(page);
  await page.goto(`${site.url}/desk/updates`);
  await page.getByRole('link', { name: 'Write an update' }).click();
  await other.goto(`${site.url}/desk/settings`);
  await other.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.locator('textarea').fill('# Words\n\nThat stay.\n');
  await expect(page.getByText('You are signed out. What you typed is still in this browser')).toBeVisible();
  const writing = page.url();
  await signIn(other);
  await page.goto(writing);
  await expect(page.locator('textarea')).toHaveValue('# Words\n\nThat stay.\n');
  await context.close();
  await site.stop();
});

test('a script on a visitor’s page can’t read the desk in a window that it opens, in a frame, or by a request', async ({
  browser,
}) => {
  const site = await startSite({ isDeskLocal: true });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await makeDeskLink(site));
  await page.getByRole('button', { name: 'Sign in on this browser' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');

  await page.goto(site.url);
  expect(await page.evaluate(async () => (await fetch('/desk/people')).status)).toBe(403);
  const opened = context.waitForEvent('page');
  await page.evaluate(() => Object.assign(globalThis, { desk: window.open('/desk') }));
  await expect((await opened).getByRole('navigation', { name: 'Desk' })).toBeVisible();
  const seen = await page.evaluate(() => {
    const { desk } = globalThis as unknown as { desk: Window };
    try {
      return [desk.closed, desk.document.querySelector('html[data-page-key]') !== null];
    } catch {
      return [desk.closed, false];
    }
  });
  expect(seen).toEqual([true, false]);
  const framed = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = '/desk';
    document.body.append(frame);
    await new Promise((resolve) => void setTimeout(resolve, 500));
    return frame.contentDocument?.querySelector('nav') ?? null;
  });
  expect(framed).toBeNull();
  await context.close();
  await site.stop();
});

/** Adds a device that can verify its owner, as with a fingerprint. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const client = await context.newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The emails in the outbox, one per line. */
function readMails(dataDir: string): string[] {
  const outbox = join(dataDir, 'outbox');
  return readdirSync(outbox)
    .filter((file) => file.endsWith('.eml'))
    .map((file) =>
      readFileSync(join(outbox, file), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n', ' '),
    );
}
