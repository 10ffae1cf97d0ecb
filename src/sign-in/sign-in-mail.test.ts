import { expect, test } from 'vitest';
import { renderSignUpMails } from '#newsletter/mails/sign-up-mails.tsx';
import { content } from '../../test/test-content.ts';
import { renderSignInMail } from './sign-in-mail.tsx';

test('names the site’s language in emails to people, and English in those to the owner', () => {
  const german = { ...content, agency: { ...content.agency, language: 'de' } };
  expect(renderSignUpMails(german).welcome.html).toContain('<html lang="de"');
  expect(renderSignInMail('https://a.example/desk', '123456', german).html).toContain('<html lang="en-GB"');
});
