import { createHash } from 'node:crypto';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { quoteBriefly } from '#shared/redact-emails.ts';
import type { Fault } from '../database/schema.ts';
import { findFault, parseEnhancedCode } from '../deliveries/smtp/smtp-replies.ts';

/** The content of a report about one of our emails. */
export type BounceReport =
  /** An email didn't arrive. `reason` is for the owner: one line of at most 400 characters, without an address. */
  | { kind: 'failure'; fault: Fault; mail: ReturnedMail; reason: string }
  | { kind: 'complaint'; mail: ReturnedMail; reason: string }
  | { kind: 'unsubscribe'; token: string }
  /** A failure report without any of our headers; `id` is the same each time it is read. */
  | { kind: 'unmatched'; id: string; emails: string[]; reason: string };

/**
 * Our headers, as a report quotes them. Several identify the email, because Amazon SES and other relays replace the
 * Message-ID.
 */
export type ReturnedMail = {
  /** From the Message-ID and X-Delivery-ID. */
  deliveryIds: string[];
  /** From List-Unsubscribe. */
  token: string | undefined;
  /** From Feedback-ID. */
  updateId: string | undefined;
};

/** How much of a message is read, in bytes: reports begin with what failed, then quote the email. */
export const MAX_REPORT_BYTES = 100_000;

/**
 * Whether a message may be a report: its headers say so (RFC 6522, Exim), or a mail server sent it (RFC 5321, section
 * 4.5.5: without a return path).
 * @param headers at least From, Return-Path, Content-Type and X-Failed-Recipients
 */
export function mayBeReport(headers: string): boolean {
  if (/^multipart\/report\b/i.test(findValue(headers, 'content-type') ?? '')) return true;
  if (findValue(headers, 'x-failed-recipients') !== undefined) return true;
  if (findValue(headers, 'return-path') === '<>') return true;
  return /\b(?:mailer-daemon|mail-daemon|(?:postmaster|microsoftexchange[0-9a-f]{0,40})@)/i.test(
    findValue(headers, 'from') ?? '',
  );
}

/**
 * Reads the token in an email sent to our List-Unsubscribe address. Mail servers and people add text around the token,
 * such as `[EXTERNAL]`, `Re:` or quotation marks; its signature, which isn't checked here, shows whether it is ours.
 */
export function readUnsubscribeToken(headers: string): string | undefined {
  const subject = decodeWords(findValue(headers, 'subject') ?? '');
  return /\bunsubscribe(?:[\s+:,"'<>()[\]“”„‘’«»]|-\s|%(?:20|22|3C))+([\w-]{1,300}\.[\w-]{1,300})/i.exec(subject)?.[1];
}

/**
 * Reads a delivery report (RFC 3464), a complaint (RFC 5965), or the plain text that other mail servers write instead.
 * @param source the first bytes of the message
 * @returns undefined if it is none of these
 * @throws if the message is malformed
 */
export async function readBounceReport(source: Uint8Array): Promise<BounceReport | undefined> {
  const email = await PostalMime.parse(cutLines(source), { forceRfc822Attachments: true, maxNestingDepth: MAX_DEPTH });
  const status = findStatus(email);
  const feedback = findPart(email, /^message\/feedback-report$/);
  const returned = findPart(email, /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/);
  const text = email.text ?? '';
  const written = text.slice(0, findCopy(text));
  const mail =
    findReturnedMail(returned ?? text.slice(written.length)) ??
    findReturnedMail(`Message-ID: ${findAnswered(email, status)}`);
  if (mail === undefined) return status === undefined && feedback ? undefined : readUnmatched(email, status, written);
  if (feedback !== undefined) return readComplaint(feedback, mail);
  // A notification such as "was read" (RFC 8098) isn't a failure, whatever its text says.
  if (findPart(email, /^message\/disposition-notification$/) !== undefined) return undefined;
  if (status !== undefined) return readStatus(status, written, mail);
  return isAutomaticAnswer(email) ? readUnmatched(email, undefined, written) : readText(written, mail);
}

/**
 * Finds our Message-ID, which Gmail gives in the status, and Microsoft 365 in the report's own headers. A person's
 * reply gives it too, but has a return path.
 */
function findAnswered({ headers, inReplyTo = '' }: Email, status: string | undefined): string {
  const isReport =
    status !== undefined || headers.some(({ key, value }) => key === 'return-path' && value.trim() === '<>');
  return findValue(status ?? '', 'x-original-message-id') ?? (isReport ? inReplyTo : '');
}

/** A report without our headers may name people on the list, but anybody could have written it: the owner decides. */
function readUnmatched(email: Email, status: string | undefined, text: string): BounceReport | undefined {
  const failure = status === undefined ? readText(text, NO_MAIL) : readStatus(status, text, NO_MAIL);
  if (failure?.kind !== 'failure') return undefined;
  const recipients = [...(status ?? '').matchAll(/^(?:final|original)-recipient[ \t]*:(.*)$/gim)].map(([, to]) => to);
  const named = email.headers.find(({ key }) => key === 'x-failed-recipients')?.value ?? '';
  const found = [named, ...recipients].join('\n').match(EMAIL) ?? text.match(EMAIL) ?? [];
  const own = new Set(email.to?.map(({ address }) => address?.toLowerCase()));
  const others = found.map((each) => each.toLowerCase()).filter((each) => !own.has(each));
  const emails = [...new Set(others)].slice(0, MAX_EMAILS);
  if (emails.length === 0) return undefined;
  const id = createHash('sha256')
    .update(email.messageId ?? text)
    .digest('base64url');
  return { kind: 'unmatched', id, emails, reason: failure.reason };
}

const NO_MAIL: ReturnedMail = { deliveryIds: [], token: undefined, updateId: undefined };
const EMAIL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}.-]{1,253}[\p{L}\p{N}]/gu;
const MAX_EMAILS = 20;

/** Whether an email is an automatic reply (RFC 3834, and older headers). Exim marks its reports in the same way. */
function isAutomaticAnswer({ headers }: Email): boolean {
  const values = new Map(headers.map(({ key, value }) => [key, value]));
  if (values.has('x-failed-recipients')) return false;
  return (
    /^auto-replied\b/i.test(values.get('auto-submitted') ?? '') ||
    values.has('x-autoreply') ||
    /^auto_reply\b/i.test(values.get('precedence') ?? '')
  );
}

const MAX_DEPTH = 20;

/** Limits the number of lines: the parser takes up to 17 µs for each, and blocks the event loop. */
function cutLines(source: Uint8Array): Uint8Array {
  let end = 0;
  for (let line = 0; line < MAX_LINES; line += 1) {
    const next = source.indexOf(LINE_FEED, end);
    if (next === -1) return source;
    end = next + 1;
  }
  return source.subarray(0, end);
}

const MAX_LINES = 1500;
const LINE_FEED = 0x0a;

/** The parts have already been decoded, whatever their encoding was. */
function findPart({ attachments }: Email, type: RegExp): string | undefined {
  const part = attachments.find(({ mimeType }) => type.test(mimeType.toLowerCase()));
  return part && (typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content));
}

/** Finds the machine-readable part of a report, unless it says nothing about any recipient. */
function findStatus(email: Email): string | undefined {
  const status = findPart(email, /^message\/(?:global-)?delivery-status$/);
  return status !== undefined && findValue(status, 'action') !== undefined ? status : undefined;
}

function findReturnedMail(returned: string): ReturnedMail | undefined {
  const ids = ['message-id', 'x-delivery-id'].map((name) => UUID.exec(findValue(returned, name) ?? '')?.[0]);
  const deliveryIds = [...new Set(ids.filter((id) => id !== undefined).map((id) => id.toLowerCase()))];
  // A line may have been broken inside the URL.
  const listHeader = decodeWords(findValue(returned, 'list-unsubscribe') ?? '').replaceAll(' ', '');
  const token = /\/newsletter\/unsubscribe\/([\w.-]{1,300})/.exec(listHeader)?.[1];
  const updateId = UUID.exec(findValue(returned, 'feedback-id') ?? '')?.[0];
  return deliveryIds.length === 0 && token === undefined ? undefined : { deliveryIds, token, updateId };
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

function readComplaint(fields: string, mail: ReturnedMail): BounceReport | undefined {
  const type = findValue(fields, 'feedback-type')?.toLowerCase();
  const isComplaint = type !== undefined && COMPLAINTS.has(type);
  return isComplaint ? { kind: 'complaint', mail, reason: `a complaint (${type})` } : undefined;
}

/** The last two are from a draft of RFC 5965. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list']);

/**
 * Reads the machine-readable part. Only a failure counts: a delayed email may still arrive, and a relayed one has
 * arrived.
 * @param text the human-readable part, which may be the only one that gives a reason
 */
function readStatus(status: string, text: string, mail: ReturnedMail): BounceReport | undefined {
  // The fields of the message come first, then those of each recipient.
  const groups = status.trim().split(/(?:\r?\n[ \t]*){2,}/, MAX_GROUPS);
  const actions = groups.map((fields) => /^[a-z]+/i.exec(findValue(fields, 'action') ?? '')?.[0].toLowerCase());
  const failed = groups[actions.findIndex((action) => FAILURES.has(action ?? ''))];
  if (failed === undefined || actions.some((action) => ARRIVED.has(action ?? ''))) return undefined;
  const [code = ''] = /^\d\.\d{1,3}\.\d{1,3}\b/.exec(findValue(failed, 'status') ?? '') ?? [];
  const diagnosis = findValue(failed, 'diagnostic-code') || findReason(text) || '';
  return toFailure(code, diagnosis.replace(/^[\w-]+ ?; ?/, ''), mail);
}

/** Each of our emails has one recipient, which may be an alias for others. */
const MAX_GROUPS = 20;
/** SendGrid says "expired". */
const FAILURES = new Set(['failed', 'expired']);
const ARRIVED = new Set(['delivered', 'relayed', 'expanded']);

/** Reads the sentences that mail servers write before the copy of the email. */
function readText(text: string, mail: ReturnedMail): BounceReport | undefined {
  const whole = text.replaceAll(/\s+/g, ' ');
  const failed = FAILED.exec(whole)?.[0] ?? findSentence(text);
  if (failed === undefined || DELAYED.test(whole)) return undefined;
  return toFailure('', findReason(text) ?? failed, mail);
}

/** Finds the SMTP reply that a report quotes, or else the report's own sentence about the mailbox. */
function findReason(text: string): string | undefined {
  return /(?<![\d.])[45]\d\d[ ,:-].*(?:\r?\n.*){0,3}/.exec(text)?.[0] ?? findSentence(text);
}

/** Finds the first sentence that blames the mailbox, but isn't advice. */
function findSentence(text: string): string | undefined {
  const sentences = text.split(/\n|(?<=[^.][.!?])\s+/, MAX_SENTENCES).map((each) => each.trim());
  return sentences
    .filter((each) => !/\b(?:may|might|please|check|if)\b/i.test(each))
    .find((each) => ['mailbox', 'full'].includes(findFault('report', `550 ${each}`)));
}

const MAX_SENTENCES = 200;

/** In English, German, French, Spanish, Italian, Dutch and Portuguese. */
const FAILED = new RegExp(
  [
    /permanent (?:error|failure)|permanent(?:ly)? fatal|fatal (?:delivery )?errors?|failed permanently/,
    /(?:could|can|was|were)(?: not|not|n['’]t) (?:be )?(?:delivered|reached)|(?:could|can)(?: not|not|n['’]t) deliver/,
    /\b5\d\d[ -]#?5\.\d{1,3}\.\d{1,3}\b|error (?:has )?(?:occurred while (?:attempting|trying) to )?deliver/,
    /(?:not|n['’]t) (?:be )?able to (?:be )?deliver|unable to deliver|undeliverable|did not reach|unknown user/,
    /deliver\w* (?:has )?fail(?:ed|ure)|(?:did|could) not (?:get|receive) your (?:message|e-?mail)|returned to (?:the )?sender/,
    /nicht .{0,60}zugestellt werden|unzustellbar|fehler bei der (?:nachrichten)?zustellung/,
    /n['’]a (?:pas )?pu être (?:remis|distribué|délivré|envoyé)|échec de la remise/,
    /no se (?:ha )?(?:pudo|podido) entregar|impossibile recapitare|mancato recapito/,
    /(?:kan|kon) niet (?:worden )?(?:bezorgd|afgeleverd)|não (?:foi possível entregar|pôde ser entregue)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
const DELAYED =
  /\bdelayed\b|(?:will|to) (?:continue|keep|be (?:retried|attempted)|retry)|still (?:being )?(?:retr|try)|(?:not|n['’]t) (?:yet )?been delivered|non-?fatal|warning (?:message )?only|verzögert|retardée?|vertraagd/i;

/** Finds where the copy of the email begins. Sources: Exim's template, qmail's QSBMF. */
function findCopy(text: string): number {
  const start = text.search(
    /^-{1,40} ?(?:This is a copy of|Below this line is a copy of|Original message|Undelivered message)/im,
  );
  return start === -1
    ? Math.max(text.search(/^(?:return-path|received|message-id|from): .*(?:\r?\n[ \t].*)*\r?\n[\w-]+:/im), 0) ||
        text.length
    : start;
}

/** @param status the report's enhanced status code, empty if it has none */
function toFailure(status: string, wholeReply: string, mail: ReturnedMail): BounceReport {
  // Cisco's gateways put this in front of every rejection.
  const reply = wholeReply.replace(/^.{0,20}Unknown address error (?=\d{3}-)/i, '');
  const quoted = quoteBriefly(reply, 300);
  const [, code = status.startsWith('4') ? '450' : '550', rest = quoted] = /^(\d{3})[ ,:-]+(.*)/.exec(quoted) ?? [];
  // The enhanced code in the reply is more specific than the report's, which may be a generic one.
  const found = findFault('report', parseEnhancedCode(reply) ? reply : `${code} ${status} ${rest}`);
  const fault = found === 'limit' ? 'sender' : found;
  const shown = fault === 'sender' && PASSING.test(status) ? 'full' : fault;
  return { kind: 'failure', fault: shown, mail, reason: `${SENTENCES[shown]} (${`${status} ${quoted}`.trim()})` };
}

/**
 * Failures that don't condemn the mailbox, such as a server that didn't respond for days (RFC 3463, 3.5). A policy
 * (4.7) isn't about the mailbox. Microsoft 365 says 5.4.300 and 5.4.314 to 318, "message expired".
 */
const PASSING = /^(?:4\.[1-6]\.|5\.4\.(?:[47]|300|31[4-8])$)/;

const SENTENCES: Record<Fault, string> = {
  mailbox: 'a report says that the mailbox does not exist',
  full: 'a report says that the mailbox could not accept the email',
  unclear: 'a report says that the recipient was rejected',
  sender: 'a report says that the email was rejected',
};

/** Reads the value of a header, or of a field that is written like one, and unfolds it. */
function findValue(fields: string, name: string): string | undefined {
  const value = new RegExp(`^[> ]{0,4}${name}[ \\t]*:(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(fields)?.[1];
  return value?.replaceAll(/\s+/g, ' ').trim();
}
