/**
 * Whether a refusal is about the mailbox and not about the sender, its pace or the message (RFC 3463, section 3.2 and
 * 3.3; 5.1.10 is RFC 7505's). Without an extended code only a plain refusal of the recipient is.
 * @param command the one that was answered, `RCPT TO` for example; at `MAIL FROM` the only mailbox so far is the
 *   sender's
 * @param reply for example `550 5.1.1 no such user`
 */
export function namesMailbox(command: string | undefined, reply: string): boolean {
  if (command === 'MAIL FROM') return false;
  const extended = readExtendedCode(reply);
  if (extended !== undefined) return MAILBOX_CODES.includes(extended);
  return command === 'RCPT TO' && /^55[013]/.test(reply);
}

/** @param reply may have several lines, and only the last may have a code; a report puts `smtp;` before it */
export function readExtendedCode(reply: string): string | undefined {
  return /^(?:smtp; ?)?\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/im.exec(reply)?.[1];
}

/** The codes that are about the mailbox itself. */
export const MAILBOX_CODES = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
