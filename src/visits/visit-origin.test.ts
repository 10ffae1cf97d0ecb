import { expect, test } from 'vitest';
import { readVisitOrigin } from './visit-origin.ts';

test.each([
  ['only the host of a page', 'https://www.linkedin.com/feed/?person=anna', 'www.linkedin.com'],
  ['an app', 'android-app://com.linkedin.android/', 'com.linkedin.android'],
  ['none of the site itself', 'https://www.example.org/privacy-policy', ''],
  ['no address of a machine', 'http://192.0.2.5/wiki', ''],
  ['no address of a machine in the new way', 'http://[2001:db8::1]/', ''],
  ['no name within a company', 'http://intranet/anna', ''],
  ['no name longer than names are', `https://${'news.'.repeat(60)}example/`, ''],
  ['nothing that is not a site', 'ftp://files.example.com/', ''],
  ['no host with a password', 'https://anna:secret@news.example.com:8443/a', 'news.example.com'],
  ['nothing without a referrer', undefined, ''],
  ['nothing that is no address', 'about:blank', ''],
  ['nothing with control characters', 'https://ne\u0000ws.example/', ''],
])('a referrer is %s', (_, referer, host) => {
  expect(readVisitOrigin(referer, 'www.example.org', '').referrer).toBe(host);
});

test.each([
  ['as the link had it', 'utm_source=mail&utm_medium=post', 'utm_source=mail&utm_medium=post'],
  ['without what is no campaign', 'person=anna&utm_source=mail', 'utm_source=mail'],
  ['without addresses of people', 'utm_source=mail&utm_term=anna@example.org', 'utm_source=mail&utm_term=…'],
  ['of 200 characters at most', `utm_source=${'🚀'.repeat(300)}`, `utm_source=${'🚀'.repeat(189)}`],
  ['without control characters', 'utm_source=a%00b%1B%0Ac', 'utm_source=a b c'],
  ['nothing where there is none', 'x=1', ''],
])('a campaign is kept %s', (_, query, campaign) => {
  expect(readVisitOrigin(undefined, undefined, query).campaign).toBe(campaign);
});
