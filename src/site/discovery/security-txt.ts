import { agency } from 'virtual:content';

/** RFC 9116 asks for less than a year. */
const VALID_MS = 360 * 24 * 60 * 60 * 1000;

/**
 * Where to report a weakness of the site (RFC 9116).
 * @param made when it is written; it runs out 360 days later, so build again before that
 */
export function securityTxt(siteUrl: string | undefined, made: Date): string {
  const lines = [
    `Contact: mailto:${agency.email}`,
    `Expires: ${new Date(made.getTime() + VALID_MS).toISOString()}`,
    'Preferred-Languages: en',
  ];
  if (siteUrl !== undefined) lines.push(`Canonical: ${siteUrl}/.well-known/security.txt`);
  return `${lines.join('\n')}\n`;
}
