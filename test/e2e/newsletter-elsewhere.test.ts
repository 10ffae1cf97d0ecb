import { optionalFields } from '#shared/sign-up-fields.ts';
import { expect, test } from './site.ts';
import { expectDone, fillIn, findForm } from './sign-up-form.ts';

// All tests share one site.
test.describe.configure({ mode: 'default' });

test('a visitor signs up with a newsletter on another host', async ({ page, elsewhere }) => {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.goto(elsewhere.url);
  const form = findForm(page, 'Footer');
  await form.scrollIntoViewIfNeeded();
  await expect(form).toHaveJSProperty('noValidate', true);
  await fillIn(form, 'static@example.org');
  await form.getByRole('button').click();
  await expectDone(page, 'Footer');
  expect(elsewhere.newsletter.signUps()).toMatchObject([
    { email: 'static@example.org', source: 'Footer', state: 'subscribed' },
  ]);
  expect(messages).toEqual([]);
});

test('the browser posts the fields to the other host, and reads no answer', async ({ page, elsewhere }) => {
  const received: unknown[] = [];
  await page.route('**/api/newsletter', async (route) => {
    received.push([route.request().method(), route.request().postDataJSON()]);
    await route.fulfill({ status: 500 });
  });
  await page.goto(`${elsewhere.url}/?utm_source=search`);
  const form = findForm(page);
  await form.getByLabel('Role').selectOption('Founder');
  await fillIn(form, 'somebody@example.org');
  await form.getByRole('button').click();
  await expectDone(page);
  const fields = { ...optionalFields(() => ''), role: 'Founder', source: 'Founder | utm_source=search' };
  // The version of the sentence that was ticked, as evidence.
  const consent = expect.stringMatching(/./);
  expect(received).toEqual([['POST', { email: 'somebody@example.org', name: '', ...fields, consent }]]);
});
