/**
 * Says why a provider doesn't accept this kind of password, and what to do, so that the owner stops trying passwords.
 * @param reply the mail server's, with its codes
 * @param host the name in the settings, such as smtp.gmail.com or imap.gmail.com
 * @returns a sentence; undefined if a wrong password is just as likely
 */
export function findLoginAdvice(reply: string, host: string): string | undefined {
  const provider = LOGIN_ADVICE.find(({ hosts, replies }) => hosts.test(host) || replies?.test(reply));
  const wrong = provider?.ifWrong;
  return wrong?.reply.test(reply) ? wrong.advice : provider?.advice;
}

/** @property ifWrong what to say if the reply blames this password, not its kind */
type Provider = {
  name: string;
  hosts: RegExp;
  replies?: RegExp;
  advice: string;
  ifWrong?: { reply: RegExp; advice: string };
};

/** Also shown before a password is typed. The first match wins. Sources: the providers' own help pages, as of 2026. */
export const LOGIN_ADVICE: Provider[] = [
  {
    name: 'Outlook.com, Hotmail',
    hosts: /(^|\.)(smtp-mail\.outlook|hotmail|live)\.com$/,
    advice:
      'Outlook.com and Hotmail accept no password from a program like this, neither yours nor an app password. Use another mail server, such as that of an email sending service',
  },
  {
    name: 'Microsoft 365',
    hosts: /(^|\.)office365\.(com|us)$|(^|\.)outlook\.(com|de)$/,
    replies: /\b5\.7\.(?:30|57|139)\b|SmtpClientAuthentication is disabled|\.outlook\.com\b/i,
    advice:
      'Microsoft 365 has turned off logins by password here (SMTP AUTH), so no password will work. Ask whoever runs your Microsoft 365 to turn on “Authenticated SMTP” for this mailbox in its admin centre, under Active users > Mail > Manage email apps. If they can’t, use an email sending service',
    ifWrong: {
      reply: /credentials were incorrect/i,
      advice:
        'Microsoft 365 says that the user name or the password is wrong. The user name is the mailbox’s whole address. If the mailbox asks for a code as well when you sign in, no password will work here: use an email sending service',
    },
  },
  {
    name: 'Gmail, Google Workspace',
    hosts: /(^|\.)(gmail|googlemail|google)\.com$/,
    replies: /\bgsmtp\b|support\.google\.com|application-specific password/i,
    advice:
      'Google doesn’t accept your account password here, only an app password: turn on 2-Step Verification, create one at myaccount.google.com/apppasswords, and use its 16 letters. If that page doesn’t offer any, whoever runs your Google Workspace has to allow it',
  },
  {
    name: 'Yahoo, AOL',
    hosts: /(^|\.)(yahoo|ymail|aol)\.[a-z.]+$/,
    replies: /#(?:AUTH|MBR)\d+/,
    advice:
      'Yahoo and AOL don’t accept your account password here, only an app password: create one in the account’s security settings under “Generate app password”',
  },
  {
    name: 'iCloud',
    hosts: /(^|\.)(me|icloud)\.com$/,
    advice:
      'iCloud doesn’t accept your Apple password here, only an app-specific one: create it at account.apple.com under Sign-In and Security',
  },
  {
    name: 'Fastmail',
    hosts: /(^|\.)(fastmail|messagingengine)\.com$/,
    advice:
      'Fastmail accepts only an app password here: create one in Settings > Privacy & Security > Manage app passwords',
  },
  {
    name: 'Zoho',
    hosts: /(^|\.)zoho\.[a-z.]+$/,
    advice:
      'Zoho accepts only an app password here if two-factor authentication is on: create one at accounts.zoho.com under Security > App passwords',
  },
  {
    name: 'GMX, WEB.DE',
    hosts: /(^|\.)(gmx\.[a-z]+|web\.de)$/,
    advice:
      'GMX and WEB.DE refuse every password until other programs are allowed: turn on “POP3 and IMAP access” in the mailbox’s settings; with two-factor authentication create an app password there',
  },
  {
    name: 'Yandex, mail.ru, QQ, 163',
    hosts: /(^|\.)(yandex\.[a-z.]+|mail\.ru|qq\.com|163\.com|126\.com)$/,
    replies: /help\.mail\.ru|service\.mail\.qq\.com/,
    advice:
      'This provider doesn’t accept your account password here: allow other programs in the mailbox’s settings, and create an app password (an “authorization code”) there',
  },
  {
    name: 'T-Online',
    hosts: /(^|\.)t-online\.de$/,
    advice:
      'T-Online doesn’t accept your account password here, only the password for email programs: set it in the customer centre under Passwords',
  },
  {
    name: 'Brevo',
    hosts: /(^|\.)(brevo|sendinblue)\.com$/,
    advice:
      'Brevo doesn’t accept your account password here, only an SMTP key: create one under Settings > SMTP & API, which also shows the login',
    ifWrong: {
      reply: /unauthorized ip/i,
      advice:
        'Brevo doesn’t know this server’s IP address: add it in Brevo under Settings > Security > Authorized IPs, or turn off the blocking of unknown IPs there',
    },
  },
  {
    name: 'Mailgun, Mailjet, Postmark, Amazon SES, Resend, Mandrill, MailerSend, SMTP2GO',
    hosts:
      /(^|\.)(mailgun\.org|mailjet\.com|postmarkapp\.com|amazonaws\.com|resend\.com|mandrillapp\.com|mailersend\.net|smtp2go\.com)$/,
    advice:
      'The user name and password for SMTP aren’t those of the account: the provider shows both under SMTP (as credentials, a key or a token)',
  },
  {
    name: 'Virgin Media',
    hosts: /(^|\.)virginmedia\.com$/,
    advice:
      'Virgin Media doesn’t accept your account password here, only an app password: create one in My Virgin Media under Account settings',
  },
  {
    name: 'Proton',
    hosts: /(^|\.)(proton|protonmail)\.(me|ch|com)$/,
    advice: 'Proton doesn’t accept your account password here, only an SMTP token: create one in Settings > IMAP/SMTP',
  },
  {
    name: 'SendGrid',
    hosts: /(^|\.)sendgrid\.net$/,
    advice: 'SendGrid’s user name is the word apikey, and its password is an API key',
  },
];
