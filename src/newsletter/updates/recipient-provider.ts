/**
 * Finds the mail provider behind a domain: one that rejects emails to outlook.com rejects those to hotmail.com as well.
 * @returns its name here, which is the same for all its domains
 */
export function findRecipientProvider(domain: string): string {
  const known = PROVIDERS.find((starts) => starts.some((start) => isAt(domain, start)));
  return known?.join(' ') ?? `${domain.split('.', 1)[0]}.`;
}

/** @returns patterns for SQL's LIKE, one of which matches every email address at a provider */
export function listAddressPatterns(provider: string): string[] {
  return provider.split(' ').map((start) => (start.endsWith('.') ? `%@${start}%` : `%@${start}`));
}

/** The domains of each provider. One that ends with a dot stands for every country. */
const PROVIDERS = [
  ['outlook.', 'hotmail.', 'live.', 'msn.com'],
  ['yahoo.', 'ymail.com', 'rocketmail.com', 'aol.'],
  ['gmail.com', 'googlemail.com'],
  ['icloud.com', 'me.com', 'mac.com'],
  ['gmx.', 'web.de', 'mail.com'],
  ['orange.fr', 'wanadoo.fr'],
  ['virginmedia.com', 'ntlworld.com', 'blueyonder.co.uk'],
  ['proton.me', 'protonmail.', 'pm.me'],
];

function isAt(domain: string, start: string): boolean {
  return start.endsWith('.') ? domain.startsWith(start) : domain === start;
}
