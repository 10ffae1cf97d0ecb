import type { Fault } from '../../database/schema.ts';
import { REPLY_RULES, type ReplyStage } from './reply-rules.ts';

/**
 * Classifies a rejection: the first matching rule in REPLY_RULES wins. `limit` is the provider's limit on this sender.
 * @param wholeReply for example `550 5.1.1 no such user`; may have several lines, and may begin with `smtp;` in a report
 */
export function findFault(stage: ReplyStage, wholeReply: string): Fault | 'limit' {
  const reply = wholeReply.slice(0, MAX_REPLY);
  const code = readCode(reply);
  const enhanced = parseEnhancedCode(reply);
  // Links to help pages may contain any of these words, so they are removed; a link may be all that a block list says.
  const words = reply
    .replaceAll(/https?:\S+/g, (link) => (/spamhaus/i.test(link) ? ' spamhaus ' : ' '))
    .replaceAll(LINE_START, ' ')
    .replaceAll(/\s+/g, ' ');
  const rule = REPLY_RULES.find(
    (each) =>
      (each.stages?.includes(stage) ?? true) &&
      (each.codes?.test(code) ?? true) &&
      (each.enhanced?.test(enhanced) ?? true) &&
      (each.words?.test(words) ?? true),
  );
  return rule?.fault ?? 'sender';
}

/** In characters. The meaning is at the start, and an unknown server may send a reply of any length. */
const MAX_REPLY = 2000;

function readCode(reply: string): string {
  return /^(?:smtp; ?)?(\d{3})\b/i.exec(reply)?.[1] ?? '';
}

/**
 * Reads the enhanced status code (RFC 3463), empty if there is none. Any line may have one, qmail puts it in brackets,
 * and a relay may put a generic code before the one it quotes.
 */
export function parseEnhancedCode(reply: string): string {
  const codes = [...reply.matchAll(ENHANCED_CODE)].map(([, afterCode, inBrackets]) => afterCode ?? inBrackets ?? '');
  return codes.find((code) => !code.endsWith('.0.0')) ?? codes[0] ?? '';
}

const ENHANCED_CODE = /(?<![\d.])\d{3}[ -][#']?(\d\.\d{1,3}\.\d{1,3})(?![\d.])|\(#(\d\.\d{1,3}\.\d{1,3})/g;

/** The codes at the start of each line, before the text. */
const LINE_START = /^(?:smtp; ?)?\d{3}[ -](?:#?\d\.\d{1,3}\.\d{1,3}(?= ))?/gim;
