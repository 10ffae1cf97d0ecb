import { z } from 'zod';

/**
 * A schema for an email address that the owner enters. The domain may be in any script; it is converted to lower case
 * and punycode, as mail servers expect.
 * @param expected the message for invalid input
 */
export function emailField(expected: string) {
  return z
    .string(expected)
    .transform((typed, context) => {
      const email = trimInvisible(typed);
      const at = email.lastIndexOf('@');
      const domain = toAsciiDomain(email.slice(at + 1));
      // Zod's own pattern rejects top-level domains in punycode.
      const hasLocalPart = at > 0 && z.email().safeParse(`${email.slice(0, at)}@example.org`).success;
      if (domain !== undefined && hasLocalPart) return `${email.slice(0, at)}@${domain}`;
      context.addIssue({ code: 'invalid_format', format: 'email', message: expected, input: typed });
      return z.NEVER;
    })
    .meta({ format: 'idn-email' });
}

/** @returns the domain in lower case and punycode; undefined if it isn't a full domain name */
export function toAsciiDomain(domain: string): string | undefined {
  if (/[\s/?#@:[\]%\\]/.test(domain)) return undefined;
  const ascii = URL.parse(`https://${domain}`)?.hostname;
  return ascii !== undefined && ASCII_DOMAIN.test(ascii) && ascii.length <= 253 ? ascii : undefined;
}

/** Labels of at most 63 characters (RFC 1035, section 2.3.4); the last isn't a number, or it would be an IP address. */
const ASCII_DOMAIN = /^([a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])$/;

/**
 * Trims spaces and invisible characters. Uses a loop, since a regular expression that ends with `$` takes
 * quadratic time on many spaces.
 */
export function trimInvisible(text: string): string {
  const characters = [...text];
  const start = characters.findIndex((character) => !INVISIBLE.test(character));
  const end = characters.findLastIndex((character) => !INVISIBLE.test(character));
  return characters.slice(start === -1 ? characters.length : start, end + 1).join('');
}

/** Spaces, control and format characters, and other invisible ones (Unicode, Default_Ignorable_Code_Point). */
const INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800\uFFFC]$/u;
