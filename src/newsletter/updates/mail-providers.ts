/** Advice on each provider, by the mail server's name. Sources: the providers' own help pages. */
export type MailProvider = {
  name: string;
  hosts: RegExp;
  /** The name that a customer's SPF record includes; undefined if the provider sends from its own domain. */
  include?: string;
  /** Where the owner can turn off the counting of clicks and opens. */
  tracking?: string;
};

/** @param host of SMTP_URL. @returns undefined for a provider that isn't known */
export function findMailProvider(host: string): MailProvider | undefined {
  return PROVIDERS.find(({ hosts }) => hosts.test(host));
}

const PROVIDERS: MailProvider[] = [
  { name: 'Google', hosts: /(^|\.)(gmail|google)\.com$/, include: '_spf.google.com' },
  { name: 'Microsoft 365', hosts: /(^|\.)office365\.com$/, include: 'spf.protection.outlook.com' },
  { name: 'iCloud', hosts: /(^|\.)mail\.me\.com$/, include: 'icloud.com' },
  { name: 'Proton', hosts: /(^|\.)protonmail\.ch$/, include: '_spf.protonmail.ch' },
  { name: 'Fastmail', hosts: /(^|\.)fastmail\.com$/, include: 'spf.messagingengine.com' },
  { name: 'OVH', hosts: /(^|\.)ovh\.(net|com)$/, include: 'mx.ovh.com' },
  { name: 'Infomaniak', hosts: /(^|\.)infomaniak\.(com|ch)$/, include: 'spf.infomaniak.ch' },
  { name: 'Gandi', hosts: /(^|\.)gandi\.net$/, include: '_mailcust.gandi.net' },
  { name: 'GoDaddy', hosts: /(^|\.)secureserver\.net$/, include: 'secureserver.net' },
  { name: 'Hostinger', hosts: /(^|\.)hostinger\.com$/, include: '_spf.mail.hostinger.com' },
  { name: 'Migadu', hosts: /(^|\.)migadu\.com$/, include: 'spf.migadu.com' },
  { name: 'mailbox.org', hosts: /(^|\.)mailbox\.org$/, include: 'mailbox.org' },
  {
    name: 'SendGrid',
    hosts: /(^|\.)sendgrid\.net$/,
    tracking: 'Settings > Tracking: turn off Click Tracking and Open Tracking',
  },
  {
    name: 'Brevo',
    hosts: /(^|\.)(brevo|sendinblue)\.com$/,
    tracking: 'Transactional > Settings > Tracking: turn off opens and clicks',
  },
  {
    name: 'Mailgun',
    hosts: /(^|\.)mailgun\.org$/,
    tracking: 'Sending > Domain settings > Tracking: turn off click and open tracking',
  },
  {
    name: 'Mailjet',
    hosts: /(^|\.)mailjet\.com$/,
    tracking: 'Account settings > Tracking: turn off opens and clicks',
  },
  {
    name: 'Postmark',
    hosts: /(^|\.)postmarkapp\.com$/,
    tracking: 'your server > Settings > Tracking: turn off open and link tracking',
  },
  {
    name: 'Amazon SES',
    hosts: /^email-smtp\..*\.amazonaws\.com$/,
    tracking: 'Configuration sets > Event destinations: remove opens and clicks from the set that your identity uses',
  },
  {
    name: 'Mandrill',
    hosts: /(^|\.)mandrillapp\.com$/,
    tracking: 'Settings > Sending Defaults: turn off Track Opens and Track Clicks',
  },
  {
    name: 'SparkPost',
    hosts: /(^|\.)sparkpostmail\.com$/,
    tracking: 'Configuration > SMTP Settings: turn off open and click tracking',
  },
  {
    name: 'MailerSend',
    hosts: /(^|\.)mailersend\.net$/,
    tracking: 'Domains > your domain > Manage: turn off open and click tracking',
  },
  {
    name: 'Resend',
    hosts: /(^|\.)resend\.com$/,
    tracking: 'Domains > your domain: turn off open and click tracking',
  },
];
