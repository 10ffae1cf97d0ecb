/** Replaces control characters, such as those that start terminal escape sequences, with spaces. */
export function stripControlChars(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
