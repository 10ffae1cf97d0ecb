/**
 * Removes everything that may be an email address: servers quote the one that they refuse, in URLs encoded, in reports
 * with the @ as `+40` (RFC 3461) or as an entity. Takes a time in proportion to the text's length.
 */
export function redactEmails(text: string): string {
  return text.replace(WORD, (word) => (AT.test(word) ? '…' : word));
}

/** An entity of the @ holds a semicolon, which otherwise ends a word. */
const WORD = /(?:&#0*64;|&#x0*40;|&commat;|[^\s<>"(),;:])+/gi;

const AT = /[@＠﹫]|%(?:25)*40|[+=]40|&#0*64|&#x0*40|&commat;/i;

/**
 * The beginning of somebody else's text as one line, without emails. It is cut before anything is searched in it,
 * and between words: half an email would not be recognised.
 */
export function quoteBriefly(text: string, maxCharacters: number): string {
  const line = cutBetweenWords(text, 10 * maxCharacters).replaceAll(/[\p{Cc}\s]+/gu, ' ');
  return cutBetweenWords(redactEmails(line), maxCharacters).trim().toWellFormed();
}

function cutBetweenWords(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : text.slice(0, Math.max(0, text.lastIndexOf(' ', maxCharacters)));
}
