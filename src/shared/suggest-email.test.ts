import { expect, test } from 'vitest';
import { suggestEmail } from './suggest-email.ts';

test.each(
  'gmial.com gmai.com gamil.com gnail.com gmal.com gmail.co gmail.con gmail.cm gmail.om gmaill.com gmail.comm gmail.co.uk gmail.de Gmial.Com gmal.co'.split(
    ' ',
  ),
)('suggests gmail.com for anna@%s', (domain) => {
  expect(suggestEmail(`Anna@${domain}`)).toBe('Anna@gmail.com');
});

test.each([
  ['hotmail.con', 'hotmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['hotmail.couk', 'hotmail.co.uk'],
  ['hotmial.co.uk', 'hotmail.co.uk'],
  ['outlook.co', 'outlook.com'],
  ['outlok.com', 'outlook.com'],
  ['yahoo.co', 'yahoo.com'],
  ['yaho.com', 'yahoo.com'],
  ['icoud.com', 'icloud.com'],
  ['icloud.co', 'icloud.com'],
  ['live.con', 'live.com'],
  ['aol.co', 'aol.com'],
  ['btinternet.con', 'btinternet.com'],
  ['protonmail.co', 'protonmail.com'],
  ['larkfield.con', 'larkfield.com'],
  ['larkfield.co.ku', 'larkfield.co.uk'],
  ['larkfield.ogr', 'larkfield.org'],
  ['t-online.dee', 't-online.de'],
  ['larkfield.co.ik', 'larkfield.co.uk'],
  ['mail.con', 'mail.com'],
  ['larkfield.comn', 'larkfield.com'],
  ['larkfield.con.uk', 'larkfield.co.uk'],
  ['larkfield.co.ukk', 'larkfield.co.uk'],
  ['larkfield.og', 'larkfield.org'],
  ['larkfield.nett', 'larkfield.net'],
  ['gmx.ed', 'gmx.de'],
])('corrects anna@%s to %s', (domain, meant) => {
  expect(suggestEmail(` anna@${domain} `)).toBe(`anna@${meant}`);
});

test.each(
  'gmail.com googlemail.com mail.com email.com ymail.com fmail.com pmail.com grail.com gail.com cloud.com cloud.co pcloud.com wahoo.com love.co.uk life.co.uk hotmail.fr yahoo.de gmx.at five.com line.com mac.com me.com larkfield.co larkfield.cm outlook.com.au x.io rocketmail.com hey.com fastmail.com web.de outlook.dk live.nl constructor.io'.split(
    ' ',
  ),
)('suggests nothing for anna@%s, which may be right', (domain) => {
  expect(suggestEmail(`anna@${domain}`)).toBeUndefined();
});

test.each(['', 'anna', 'anna@', '@gmial.com'])('suggests nothing for %j', (email) => {
  expect(suggestEmail(email)).toBeUndefined();
});
