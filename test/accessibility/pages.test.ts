import { content } from '../test-content.ts';
import { bannerOf } from '../e2e/cookie-banner.ts';
import { PAGES } from '../e2e/pages.ts';
import { expect, test } from '../e2e/site.ts';
import { expectNoFindings } from './no-findings.ts';

const WIDTHS = [320, 1280];

for (const path of PAGES) {
  test(`axe finds nothing on ${path}`, async ({ page }) => {
    await page.goto(path);
    await expect(bannerOf(page)).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoFindings(page);
    }
  });
}

for (const width of WIDTHS) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('axe finds nothing on a form with an error and its message, nor on one that is done', async ({ page }) => {
      await page.goto('/');
      const form = page.getByRole('form', { name: /^Stay Connected/ });
      await form.getByLabel('Email').focus();
      await page.getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
      await form.getByRole('button', { name: 'Join the List' }).click();
      await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toBeVisible();
      await expect(form.getByText('Please enter your email address.')).toBeVisible();
      await expectNoFindings(page);

      await form.getByLabel('Email').fill(`axe-${width}@example.org`);
      await form.getByRole('checkbox').check();
      await form.getByRole('button', { name: 'Join the List' }).click();
      await expect(page.getByRole('heading', { name: "You're All Set!" })).toBeVisible();
      await expectNoFindings(page);
    });

    test('axe finds nothing on the pages that a form without its script leads to', async ({ page }) => {
      await page.route('**/*.js', (route) => route.abort());
      await page.goto('/');
      const form = page.getByRole('form', { name: /^Stay Connected/ });
      const send = async (email: string) => {
        await page.getByRole('textbox', { name: 'Email' }).last().fill(email);
        await page.getByRole('checkbox').last().check();
        await page.getByRole('button', { name: 'Join the List' }).last().click();
      };
      await form.scrollIntoViewIfNeeded();
      await send('nobody@nowhere');
      await expect(page.getByRole('alert')).toBeVisible();
      await expectNoFindings(page);
      await send(`plain-${width}@example.org`);
      await expect(page.getByRole('heading', { level: 1, name: "You're All Set!" })).toBeVisible();
      await expectNoFindings(page);
    });
  });
}

test('axe finds nothing on an open answer', async ({ page }) => {
  await page.goto('/');
  await page.locator('summary').last().click();
  await expect(page.locator('details[open] p')).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoFindings(page);
  }
});

test('axe finds nothing on the open menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('button', { name: content.pages.labels.menu }).click();
  await expect(page.getByRole('link', { name: content.pages.labels.faq, exact: true })).toBeVisible();
  await expectNoFindings(page);
});

test('axe finds nothing on the open list of roles', async ({ page }) => {
  await page.goto('/');
  const role = page.getByRole('form', { name: /^Stay Connected/ }).getByLabel('Role');
  await role.click();
  await expect(role.getByRole('option').last()).toBeVisible();
  await expectNoFindings(page);
});
