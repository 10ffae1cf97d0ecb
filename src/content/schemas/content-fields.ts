/** The kinds of string in content/. */
import { z } from 'zod';
import { emailField } from '#shared/owner-email.ts';

/** The message about an empty field. */
export const EMPTY = 'nothing is written here';

export const text = z.string().trim().min(1, EMPTY);
/** Text of one or more sentences, which forms show in a large field. */
export const longText = text.meta({ format: 'textarea' });

export const HTTPS = 'expected an address that begins with https://, with %20 in place of each space';
export const httpsUrl = urlWith(/^https$/);
export const emailAddress = emailField('expected an email address, such as hello@example.org');

export function urlWith(protocol: RegExp) {
  return z.url({ protocol, error: HTTPS, abort: true }).refine((value) => !/\s/.test(value.trim()), HTTPS);
}
