import { describe, expect, test } from 'vitest';
import { EnvironmentError, parseEnvironment, rejectLocalLinks } from './environment.ts';

test('requires no settings', () => {
  expect(parseEnvironment({})).toMatchObject({ PORT: 3000, HOST: 'localhost', DATA_DIR: 'data', DOUBLE_OPT_IN: false });
});

test('treats an empty variable as unset', () => {
  expect(parseEnvironment({ SMTP_URL: '', PORT: ' ', NOTIFY_TO: '' })).toEqual(parseEnvironment({}));
});

test('accepts domains with accents', () => {
  const variables = {
    SITE_URL: 'https://www.émérillon.example',
    DOMAIN: 'bücher.example',
    NOTIFY_TO: 'me@bücher.example',
  };
  expect(parseEnvironment(variables)).toMatchObject({
    SITE_URL: 'https://www.xn--mrillon-9xab.example',
    DOMAIN: 'bücher.example',
    NOTIFY_TO: 'me@xn--bcher-kva.example',
  });
});

const MAIL_HOST = 'smtps://mail.example.org';

test.each([
  [MAIL_HOST, undefined],
  ['smtp://127.0.0.1:25', undefined],
  [MAIL_HOST, 'http://localhost:3000'],
  [MAIL_HOST, 'http://127.0.0.1:3000'],
  [MAIL_HOST, 'http://site.localhost'],
  [MAIL_HOST, 'http://[::ffff:127.0.0.1]'],
  [MAIL_HOST, 'https://nas.local'],
])('rejects sending emails through %s with links to %s', (SMTP_URL, SITE_URL) => {
  const expected = /^SITE_URL: expected the public URL, .*, since SMTP_URL is set/;
  expect(() => rejectLocalLinks({ SMTP_URL, SITE_URL })).toThrow(expected);
});

test.each([
  [MAIL_HOST, 'https://www.example.org'],
  ['smtp://127.0.0.1:1025', 'http://localhost:3000'],
  [undefined, undefined],
])('allows sending emails through %s with links to %s', (SMTP_URL, SITE_URL) => {
  expect(() => rejectLocalLinks({ SMTP_URL, SITE_URL })).not.toThrow();
});

test('accepts several origins, and ignores a trailing slash', () => {
  expect(
    parseEnvironment({
      SITE_URL: 'https://www.example.org/',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example:8443',
    }),
  ).toMatchObject({
    SITE_URL: 'https://www.example.org',
    ALLOWED_ORIGINS: ['https://a.example', 'https://b.example:8443'],
  });
});

test.each([
  ['DOMAIN', 'www.example.org', 'without https:// and www'],
  ['PORT', '70000', 'a whole number from 0 to 65535'],
  ['PORT', '3e3', 'a whole number'],
  ['DATABASE_URL', 'mysql://localhost/x', 'postgres://'],
  ['SITE_URL', 'www.example.org', 'https:// and the domain, with nothing after it, such as https://www.example.org'],
  [
    'SITE_URL',
    'https://www.example.org/blog',
    'https:// and the domain, with nothing after it, such as https://www.example.org',
  ],
  ['SITE_URL', 'https://www.example.org,', 'https:// and the domain, with nothing after it'],
  ['DATA_DIR', '~/list', 'the full path of a folder'],
  [
    'ALLOWED_ORIGINS',
    'https://a.example,*',
    'https:// and the domain, with nothing after it, such as https://www.example.org',
  ],
  ['TRUSTED_PROXY_HEADER', 'X-Forwarded-For, X-Real-IP', 'the name of one header'],
  ['TRUSTED_PROXY_HEADER', 'Forwarded', 'whose value ends with the visitor'],
  ['SMTP_URL', 'https://mail.example.org', 'smtps://'],
  ['SMTP_URL', 'smtps://', 'smtps://'],
  ['SMTP_URL', 'smtp://user:password@mail.example.org:465', 'smtps:// with port 465'],
  ['SMTP_URL', 'smtps://user:password@mail.example.org:587', 'smtp:// with port 587'],
  ['NOTIFY_TO', 'me', 'one email address'],
  ['SHEET_URL', 'http://sheet.example/exec', 'https://'],
  ['SHEET_URL', 'https://docs.google.com/spreadsheets/d/1abc/edit#gid=0', 'https://script.google.com/macros/s/…/exec'],
  ['SHEET_URL', 'https://script.google.com/macros/s/1abc/dev', 'https://script.google.com/macros/s/…/exec'],
  ['MAIL_HOURLY_CAP', '0', 'a whole number from 1'],
  ['DOUBLE_OPT_IN', 'TRUE', 'true or false'],
  ['NEWSLETTER_ENDPOINT', 'ftp://sheet.example', 'https://'],
  ['NEWSLETTER_ENDPOINT', 'https://script.google.com/macros/s/1abc/exec?secret=abc', 'an address without .secret='],
  ['SIGNING_SECRET', 'short', 'at least 32 characters: the secret with which your list was created'],
])('rejects %s=%s, naming the variable and what was expected', (name, value, expected) => {
  const parse = () => parseEnvironment({ [name]: value });
  expect(parse).toThrow(EnvironmentError);
  expect(parse).toThrow(new RegExp(`^${name}: expected .*${expected}`));
});

test('accepts a query in the URL of a Google web app', () => {
  const SHEET_URL = 'https://script.google.com/macros/s/1abc/exec?key=1';
  expect(parseEnvironment({ SHEET_URL })).toHaveProperty('SHEET_URL', SHEET_URL);
});

describe.each([
  ['SMTP_URL', 'smtps://user:PASSWORD@mail.example.org:465'],
  ['SMTP_URL', 'smtp://user:PASSWORD@mail.example.org:587?name=a.example'],
  ['DATABASE_URL', 'postgres://user:PASSWORD@db.example.org/list'],
  ['BOUNCE_MAILBOX', 'imaps://user:PASSWORD@imap.example.org/INBOX'],
])('%s=%s', (name, url) => {
  test.each(['pa#ss', '12#ss', 'pa/ss', '12/ss', 'p@ss', 'pa%ss', '%', 'pa?ss'])(
    'with %s says what to encode',
    (password) => {
      const parse = () => parseEnvironment({ [name]: url.replace('PASSWORD', password) });
      expect(parse).toThrow(new RegExp(`^${name}: .*# as %23, / as %2F, .*@ as %40, % as %25$`));
    },
  );

  test('is accepted with an encoded password', () => {
    const value = url.replace('PASSWORD', 'p%23%2F%40%25');
    expect(parseEnvironment({ [name]: value })).toHaveProperty(name, value);
  });
});

test('does not repeat a rejected value, since it may contain a password', () => {
  const variables = { DATABASE_URL: 'mysql://owner:hunter2@localhost/x', SMTP_URL: 'owner:hunter2@mail' };
  expect(() => parseEnvironment(variables)).toThrow(/^DATABASE_URL: .*\nSMTP_URL: .*/);
  expect(() => parseEnvironment(variables)).not.toThrow(/hunter2/);
});
