import { expect, test } from './site.ts';
import { expectDone, fillIn, findForm } from './sign-up-form.ts';

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
