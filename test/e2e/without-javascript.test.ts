import { content } from '../test-content.ts';
import { expect, test } from './site.ts';
import { expectDone, findForm, pressJoin } from './sign-up-form.ts';

test.use({ javaScriptEnabled: false });

test('a sign-up leads to a page that confirms it', async ({ page, site }) => {
  await page.goto('/?utm_source=news');
  const form = findForm(page, 'Footer');
  await form.getByLabel('Email').fill('without-scripts@example.org');
  await form.getByLabel('Role').selectOption('Other');
  await form.getByRole('checkbox').check();
  await pressJoin(form);
  await expectDone(page, 'Footer');
  await expect(page.getByText("Thanks — you're in! Check your inbox.")).toBeVisible();
  expect(site.signUps()).toContainEqual({
    email: 'without-scripts@example.org',
    role: 'Other',
    source: 'Footer | utm_source=news',
    state: 'subscribed',
  });
});

test('a sign-up that fails leads to a page that says why and keeps what was typed', async ({ page, site }) => {
  await page.goto('/?utm_source=news');
  const form = findForm(page);
  // The browser's own check accepts this address; the specification's doesn't.
  await form.getByLabel('Email').fill('plain@nowhere');
  await form.getByLabel('Role').selectOption('Head of Talent');
  await form.getByRole('checkbox').check();
  const answer = page.waitForResponse('**/api/newsletter');
  await pressJoin(form);
  expect((await answer).status()).toBe(400);
  await expect(page.getByRole('alert')).toContainText('Please enter a valid email address.');
  const returned = page.getByRole('form');
  await expect(returned.getByLabel('Email')).toHaveValue('plain@nowhere');
  await expect(returned.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.');
  await expect(returned.getByLabel('Role')).toHaveValue('Head of Talent');
  await expect(returned.getByRole('checkbox')).toBeChecked();
  // On going back, the browser doesn't ask to resend the form.
  await page.getByRole('link', { name: 'Privacy Policy' }).click();
  await page.waitForURL('**/privacy-policy');
  await page.goBack();
  await expect(returned.getByLabel('Email')).toHaveValue('plain@nowhere');

  await returned.getByLabel('Email').fill('corrected@example.org');
  await returned.getByRole('button', { name: 'Join the List' }).click();
  await expectDone(page);
  const stored = site.signUps().filter(({ email }) => email === 'corrected@example.org');
  expect(stored).toMatchObject([{ source: 'Founder | utm_source=news' }]);
});

test('everything is readable, questions open and links lead somewhere', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const [first] = content.faq.items;
  const question = page.getByText(first!.question);
  const answer = page.getByText(first!.answer);
  await expect(answer).toBeHidden();
  await question.click();
  await expect(answer).toBeVisible();
  await expect(page.getByText('This website uses cookies')).toBeHidden();
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await expect(page).toHaveURL(/\/privacy-policy#cookies$/);
  await expect(page.getByRole('heading', { name: /Cookies$/ })).toBeInViewport();
});
