import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPeople } from '../../../test/newsletter/setup/read-people.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Files of other tools. Below each name are the lines of the file, then the result of each line. */
const CASES = `
Mailchimp, cleaned
  "Email Address","First Name",OPTIN_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE
  a@x.org,A,"2025-03-04 10:11:12","2026-01-02 03:04:05",May
  => a@x.org out: CLEAN_TIME is "2026-01-02 03:04:05"
MailerLite
  Subscriber,Sent,Subscribed,Unsubscribed,Location
  a@x.org,12,2026-04-05 06:07:08,,Berlin
  b@x.org,12,2026-04-05 06:07:08,2026-05-05 06:07:08,Berlin
  => a@x.org 2026-04-05
  => b@x.org out: Unsubscribed is "2026-05-05 06:07:08"
Brevo, with the columns of its exports since 2024
  "Contact ID","Email","SMS","Email subscription","SMS subscription","Added on"
  1,a@x.org,,Subscribed,Unsubscribed,05-01-2026 10:11
  2,b@x.org,,Unsubscribed,Subscribed,15-01-2026 10:11
  3,c@x.org,,Blocklisted,,15-01-2026 10:11
  => a@x.org 2026-06-01
  => b@x.org out: Email subscription is "Unsubscribed"
  => c@x.org out: Email subscription is "Blocklisted"
Excel in German, which writes yes and no as WAHR and FALSCH
  E-Mail;Newsletter;Gesperrt
  a@x.org;WAHR;FALSCH
  b@x.org;FALSCH;FALSCH
  c@x.org;WAHR;WAHR
  => a@x.org 2026-06-01
  => b@x.org out: Newsletter is "FALSCH"
  => c@x.org out: Gesperrt is "WAHR"
Kit, with a column of US states named “state”
  email,status,state
  a@x.org,active,CA
  b@x.org,active,NY
  c@x.org,active,active
  => a@x.org 2026-06-01
  => b@x.org 2026-06-01
  => c@x.org 2026-06-01
Substack, whose column of subscriptions says who pays
  email,active_subscription,expiry,plan,email_disabled,created_at
  a@x.org,true,2027-05-01T00:00:00.000Z,annual,false,2026-01-11T10:00:00.000Z
  b@x.org,true,2027-05-01T00:00:00.000Z,annual,false,2026-02-11T10:00:00.000Z
  c@x.org,false,,other,false,2026-03-11T10:00:00.000Z
  d@x.org,false,,other,true,2026-03-11T10:00:00.000Z
  => a@x.org 2026-01-11
  => b@x.org 2026-02-11
  => c@x.org 2026-03-11
  => d@x.org out: email_disabled is "true"
Substack, with the interval of paid subscriptions
  Email,Type,Stripe plan
  a@x.org,Annual,annual
  b@x.org,Monthly Subscriber,monthly
  c@x.org,Founding member,annual
  d@x.org,Free,
  e@x.org,Gift,
  => a@x.org 2026-06-01
  => b@x.org 2026-06-01
  => c@x.org 2026-06-01
  => d@x.org 2026-06-01
  => e@x.org 2026-06-01
CleverReach, which says when somebody left
  email;registered;activated;deactivated;bounced
  a@x.org;2025-03-02 10:00:00;2025-03-02 10:05:00;0;0
  b@x.org;2025-03-02 10:00:00;2025-03-02 10:05:00;2026-03-02 10:05:00;0
  => a@x.org 2026-06-01
  => b@x.org out: deactivated is "2026-03-02 10:05:00"
Substack in 2026, with complimentary and gift subscriptions
  Email,Type,Stripe plan,Cancel date,Subscription source (free)
  a@x.org,Free,free,,web
  b@x.org,Paid,annual,,web
  c@x.org,Comp,comp,,web
  d@x.org,Gift,gift,,web
  => a@x.org 2026-06-01
  => b@x.org 2026-06-01
  => c@x.org 2026-06-01
  => d@x.org 2026-06-01
Brevo in French
  ID CONTACT;E-MAIL;NOM;Abonnement e-mail;Date d’ajout
  1;a@x.org;A;Abonné;01/03/2026
  2;b@x.org;A;Désabonnée;01/03/2026
  3;c@x.org;A;Bloqué;01/03/2026
  => a@x.org 2026-06-01
  => b@x.org out: Abonnement e-mail is "Désabonnée"
  => c@x.org out: Abonnement e-mail is "Bloqué"
phpList
  ID;Email;Is this subscriber confirmed;Is this subscriber blacklisted;Is this subscriber disabled?
  1;a@x.org;1;0;0
  2;b@x.org;0;0;0
  3;c@x.org;1;1;0
  4;d@x.org;1;0;1
  => a@x.org 2026-06-01
  => b@x.org out: Is this subscriber confirmed is "0"
  => c@x.org out: Is this subscriber blacklisted is "1"
  => d@x.org out: Is this subscriber disabled? is "1"
our own export, saved by a German Excel
  email;state;role;first source;signed up;consent given;consent wording;wording version;form;consent evidence;confirmed;withdrawn;undeliverable because
  a@x.org;subscribed;Founder;Footer | utm_source=ZoM-k;22.11.2026 16:38;22.11.2026 16:38;I agree.;0123456789ab;Footer;vouched for by the sender;;;
  b@x.org;subscribed;;"Footer | utm_campaign=x;y";01.03.2026 10:30;01.03.2026 10:30;I agree.;0123456789ab;Footer;;;;
  c@x.org;unsubscribed;;"Messe; KM-vln";04.03.2026 00:00;04.03.2026 00:00;"Yes, ""please""";ba9876543210;;;;05.06.2026 09:15;
  => a@x.org 2026-11-22
  => b@x.org 2026-03-01
  => c@x.org out: state is "unsubscribed"
a column of tags, one of which says that somebody unsubscribed
  email,tags
  a@x.org,london
  b@x.org,Unsubscribed
  => a@x.org 2026-06-01
  => b@x.org out: tags is "Unsubscribed"
a note of several lines with an address in it
  Name,Email,Notes
  A,a@x.org,"met, at a fair
  ask pat@x.org first, or call"
  B,b@x.org,
  => a@x.org 2026-06-01
  => b@x.org 2026-06-01
Excel, with each line saved as one cell
  "Email,""Date joined"""
  "a@x.org,2026-01-05"
  "b@x.org,""2026-01-06"""
  => a@x.org 2026-01-05
  => b@x.org 2026-01-06
Brevo
  CONTACT ID;EMAIL;FIRSTNAME;SMS;SMS_BLACKLISTED;EMAIL_BLACKLISTED;DOUBLE_OPT-IN;OPT_IN;ADDED_TIME;MODIFIED_TIME
  1;a@x.org;A;;true;false;Yes;;17-03-2026 10:00:00;18-03-2026 10:00:00
  2;b@x.org;B;;false;true;Yes;;17-03-2026 10:00:00;18-03-2026 10:00:00
  3;c@x.org;C;;false;false;No;;17-03-2026 10:00:00;18-03-2026 10:00:00
  => a@x.org 2026-03-17
  => b@x.org out: EMAIL_BLACKLISTED is "true"
  => c@x.org out: DOUBLE_OPT-IN is "No"
HubSpot
  Email,Unsubscribed from all email,Email hard bounce reason,Marketing contact status,Create Date,Lead Status
  a@x.org,,,Marketing contact,2019-03-04 10:11,New
  b@x.org,true,,Marketing contact,2019-03-04 10:11,New
  c@x.org,false,Unknown user,Marketing contact,2019-03-04 10:11,New
  d@x.org,No,,Non-marketing contact,2019-03-04 10:11,New
  => a@x.org 2026-06-01
  => b@x.org out: Unsubscribed from all email is "true"
  => c@x.org out: Email hard bounce reason is "Unknown user"
  => d@x.org out: Marketing contact status is "Non-marketing contact"
Pipedrive
  Person - Name,Person - Email - Work,Person - Email - Home,Person - Marketing status,Person - Person created
  A,a@x.org,a@home.org,Subscribed,2019-03-04
  B,,b@home.org,No consent,2019-03-04
  C,,c@home.org,Subscribed,2019-03-04
  => a@x.org 2026-06-01
  => b@home.org out: Person - Marketing status is "No consent"
  => c@home.org 2026-06-01
Zoho
  Record Id,Contact Owner,Contact Owner Email,Email,Email Opt Out,Secondary Email
  z1,O,owner@x.org,a@x.org,false,
  z2,O,owner@x.org,b@x.org,true,b2@x.org
  z3,O,owner@x.org,,false,c2@x.org
  => a@x.org 2026-06-01
  => b@x.org out: Email Opt Out is "true"
  => c2@x.org 2026-06-01
Constant Contact
  "Email address","Email status","Email permission status","State/Province","Confirmed Opt-Out Date","Created At"
  "a@x.org","Active","Express","CA","","2026-04-05 06:07:08 -0400"
  "b@x.org","Unsubscribed","Unsubscribed","CA","2026-05-05","2026-04-05 06:07:08 -0400"
  "c@x.org","Active","Implied","CA","","2026-04-05 06:07:08 -0400"
  => a@x.org 2026-04-05
  => b@x.org out: Email status is "Unsubscribed"
  => c@x.org out: Email permission status is "Implied"
Google, new and old
  First Name,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Address 1 - Street
  A,* myContacts,* Home,a@x.org,a2@x.org,Road 1
  B,* myContacts,,,b2@x.org,
  => a@x.org 2026-06-01
  => b2@x.org 2026-06-01
Outlook
  First Name,E-mail Address,E-mail 2 Address,E-mail Type,E-mail Display Name
  A,'a@x.org',a2@x.org,SMTP,A (a@x.org)
  B,/o=Labs/ou=x/cn=Recipients/cn=b,b@x.org,EX,B
  => a@x.org 2026-06-01
  => b@x.org 2026-06-01
LinkedIn
  Notes:
  "When exporting your connection data, you may notice that some of the email addresses are missing."

  First Name,Last Name,URL,Email Address,Company,Position,Connected On
  A,A,https://linkedin.example/a,a@x.org,X,AE,04 Mar 2026
  B,B,https://linkedin.example/b,,X,AE,05 Mar 2026
  => a@x.org 2026-06-01
  =>  out: it has no email address
a shop
  First Name,Email,Accepts Email Marketing,Accepts SMS Marketing
  A,a@x.org,yes,no
  B,b@x.org,no,yes
  => a@x.org 2026-06-01
  => b@x.org out: Accepts Email Marketing is "no"
`;

test.each(readCases())('reads subscribed people from %s, and names the others', (_, lines, expected) => {
  expect(readPeople(lines)).toEqual(expected);
});

test('recognises Mailchimp’s export of people who aren’t subscribed by the file’s name', () => {
  const lines = ['"Email Address","First Name"', 'a@x.org,A'];
  const out = ['a@x.org out: the name of the file says so'];
  expect(readPeople(lines, '/tmp/nonsubscribed_email_audience_export_0a1b.csv')).toEqual(out);
  expect(readPeople(lines, '/tmp/subscribed_email_audience_export_0a1b.csv')).toEqual(['a@x.org 2026-06-01']);
});

describe('columns with other meanings', () => {
  test.each([
    ['a state and a type of something else', ['Email,State,Type', 'a@x.org,Texas,Customer']],
    [
      'a street, a form and something confirmed',
      ['Email,Address,Form,Confirmed', 'a@x.org,1 High Street,Tax form,Table 4'],
    ],
    ['an unsubscribe link', ['Email,Unsubscribe link,Unsubscribed', 'a@x.org,https://x.org/u,']],
    ['bounce counts', ['Email,Emails bounced,Bounce count', 'a@x.org,3,3']],
    ['empty values', ['Email,Unsubscribed,Confirmed,Opt-in', 'a@x.org,NULL,-,n/a']],
    ['an opt-out that isn’t about email', ['Email,SMS opt-out,Do not call', 'a@x.org,yes,yes']],
  ])('ignores %s', (_, lines) => {
    expect(readPeople(lines)).toEqual(['a@x.org 2026-06-01']);
  });

  test('leaves out people with an unknown status, and quotes the status', () => {
    expect(readPeople(['email,status', 'a@x.org,baja'])).toEqual(['a@x.org out: status is "baja"']);
  });

  test('imports people who subscribed again after unsubscribing', () => {
    const lines = ['address,state,consent given,withdrawn', 'a@x.org,subscribed,2026-05-01,2026-04-01'];
    expect(readPeople(lines)).toEqual(['a@x.org 2026-05-01']);
  });

  test('doesn’t import people who unsubscribed before --date', () => {
    const lines = ['email,unsubscribed', 'a@x.org,2026-05-01'];
    expect(readPeople(lines)).toEqual(['a@x.org out: unsubscribed is "2026-05-01"']);
  });
});

function readCases(): [name: string, lines: string[], expected: string[]][] {
  return CASES.trim()
    .split(/\n(?=\S)/)
    .map((each) => {
      const [name = '', ...lines] = each.split(/\n(?: {2})?/);
      const isExpected = (line: string) => line.startsWith('=> ');
      return [name, lines.filter((line) => !isExpected(line)), lines.filter(isExpected).map((line) => line.slice(3))];
    });
}
