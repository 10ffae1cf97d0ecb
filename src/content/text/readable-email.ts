import { domainToASCII, domainToUnicode } from 'node:url';

/** An email address as people read it, with its domain in Unicode and lower case: "bücher", not "xn--bcher-kva". */
export function toReadableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + domainToUnicode(domainToASCII(email.slice(at)));
}
