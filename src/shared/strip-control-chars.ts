/** Replaces control characters, such as those that begin a terminal's escape sequences, by spaces. */
export function stripControlChars(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
