import { expect, test } from 'vitest';
import { mayBeReport, readUnsubscribeToken } from './read-report.ts';

test.each([
  ['Content-Type: multipart/report; report-type=delivery-status', true],
  ['X-Failed-Recipients: anna@example.org', true],
  ['From: "Mail Delivery Subsystem" <MAILER-DAEMON@googlemail.example>', true],
  ['From: MAILER-DAEMON <>', true],
  ['From: MDaemon@mx.example\r\nReturn-Path: <>', true],
  ['From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@agency.example', true],
  ['From: Anna <anna@example.org>\r\nReturn-Path: <anna@example.org>\r\nContent-Type: multipart/mixed', false],
])('distinguishes a message that may be a report from a private one: %j', (headers, isReport) => {
  expect(mayBeReport(`${headers}\r\n`)).toBe(isReport);
});

test.each([
  'unsubscribe a.b_c-d',
  'unsubscribe\r\n a.b_c-d',
  '[EXTERNAL] unsubscribe a.b_c-d',
  'AW: [Extern] Unsubscribe a.b_c-d please',
  'unsubscribe+a.b_c-d',
  '“unsubscribe: <a.b_c-d>”',
  'unsubscribe - a.b_c-d',
  'unsubscribe%20%3Ca.b_c-d%3E',
  '=?UTF-8?B?W0VYVEVSTl0gdW5zdWJzY3Jp?=\r\n =?UTF-8?B?YmUgYS5iX2MtZA==?=',
])('reads the unsubscribe token in the subject %j', (subject) => {
  expect(readUnsubscribeToken(`From: a@example.org\r\nSubject: ${subject}\r\nTo: b@example.org\r\n`)).toBe('a.b_c-d');
});

test.each(['unsubscribe', 'Please unsubscribe me', 'How to unsubscribe'])(
  'finds no unsubscribe token in the subject %j',
  (subject) => {
    expect(readUnsubscribeToken(`Subject: ${subject}\r\n`)).toBeUndefined();
  },
);
