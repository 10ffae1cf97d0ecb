/**
 * Removes everything that may be an email address. Servers quote the address that they reject in several
 * forms: URL-encoded, with the @ as `+40` in reports (RFC 3461), or as an HTML entity. Takes linear time.
 */
export function redactEmails(text: string): string {
  return text.replace(WORD, (word) => (AT.test(word) ? '…' : word));
}

/** The entity of an @ contains a semicolon, which otherwise ends a word. */
const WORD = /(?:&#0*64;|&#x0*40;|&commat;|[^\s<>"(),;:])+/gi;

const AT = /[@＠﹫]|%(?:25)*40|[+=]40|&#0*64|&#x0*40|&commat;/i;

/**
 * Quotes the start of untrusted text on one line, without email addresses. The text is cut before it is searched,
 * and between words, since half an email address would not be recognised.
 */
export function quoteBriefly(text: string, maxCharacters: number): string {
  const line = cutBetweenWords(text, 10 * maxCharacters).replaceAll(/[\p{Cc}\s]+/gu, ' ');
  return cutBetweenWords(redactEmails(line), maxCharacters).trim().toWellFormed();
}

function cutBetweenWords(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : text.slice(0, Math.max(0, text.lastIndexOf(' ', maxCharacters)));
}
