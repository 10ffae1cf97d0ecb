import type { DeliveryKind } from '#store/schema.ts';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';

/** How far the conversation with the mail server had come. `connection` is all until the login has succeeded. */
export const STAGES = ['connection', 'MAIL FROM', 'RCPT TO', 'data', 'after the dot'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * A reply for now; a reply for good that speaks of the sender, a limit or the mail; one that speaks of the mailbox; none
 * within the stage's time; or a connection that ended.
 */
export const ANSWERS = ['4xx', '5xx', 'no such mailbox', 'silence', 'closed'] as const;
export type Answer = (typeof ANSWERS)[number];

/** How a conversation with the mail server ended; `hasCode` is whether the reply had an extended code. */
export type SmtpEnd = { stage: Stage; answer: Answer; hasCode: boolean };

/** A welcome or confirmation mail, an update's mail, or a mail to the owner. */
export const MAILS = ['subscriber', 'update', 'owner'] as const;
export type Mail = (typeof MAILS)[number];

/** The consequences of a mail that was not taken. */
export type Consequence = {
  /**
   * `given back`: waits until the mail server lets us in, and the attempt is not counted.
   * `put off`: waits for a pause, and fails when its time is over.
   * `refused`: fails, until the owner retries it.
   * `interrupted`: it may have arrived, so it goes out once more at most; after that it fails.
   */
  delivery: 'given back' | 'put off' | 'refused' | 'interrupted';
  person: 'unchanged' | 'undeliverable';
  /** Whether the other mails wait too, and how long. */
  others: 'wait from 10 s to 5 min' | 'follow more slowly' | 'go on';
  /** Where the owner reads of it, besides the log. */
  shownIn: 'status and weekly mail' | 'nowhere' | 'status' | 'status, and an alert when the update pauses';
};

const GIVEN_BACK: Consequence = {
  delivery: 'given back',
  person: 'unchanged',
  others: 'wait from 10 s to 5 min',
  shownIn: 'status and weekly mail',
};

const PUT_OFF: Consequence = {
  delivery: 'put off',
  person: 'unchanged',
  others: 'follow more slowly',
  shownIn: 'nowhere',
};

const INTERRUPTED: Consequence = { ...PUT_OFF, delivery: 'interrupted' };

const REFUSED: Consequence = {
  delivery: 'refused',
  person: 'unchanged',
  others: 'go on',
  shownIn: 'status',
};

/** Many of these pause the update. */
const UPDATE_REFUSED: Consequence = { ...REFUSED, shownIn: 'status, and an alert when the update pauses' };

/**
 * Other mails would be refused as well. An update pauses; a mail that answers a person or informs the owner waits until
 * the provider takes mails again.
 */
const REFUSED_BY_PROVIDER: Record<Mail, Consequence> = {
  subscriber: { ...PUT_OFF, shownIn: 'status and weekly mail' },
  update: UPDATE_REFUSED,
  owner: { ...PUT_OFF, shownIn: 'status and weekly mail' },
};

const MAILBOX_REFUSED: Record<Mail, Consequence> = {
  subscriber: { ...REFUSED, person: 'undeliverable' },
  update: { ...UPDATE_REFUSED, person: 'undeliverable' },
  owner: REFUSED,
};

const forAll = (consequence: Consequence): Record<Mail, Consequence> => ({
  subscriber: consequence,
  update: consequence,
  owner: consequence,
});

const AFTER_LOGIN: Record<Answer, Record<Mail, Consequence>> = {
  '4xx': forAll(PUT_OFF),
  '5xx': REFUSED_BY_PROVIDER,
  'no such mailbox': MAILBOX_REFUSED,
  silence: forAll(PUT_OFF),
  closed: forAll(PUT_OFF),
};

/** The consequences of each failure, as data: the code reads this table, and the tests try each cell. */
export const FAILURE_TABLE: Record<Stage, Record<Answer, Record<Mail, Consequence>>> = {
  connection: {
    '4xx': forAll(GIVEN_BACK),
    '5xx': forAll(GIVEN_BACK),
    'no such mailbox': forAll(GIVEN_BACK),
    silence: forAll(GIVEN_BACK),
    closed: forAll(GIVEN_BACK),
  },
  // The only mailbox named so far is the sender's.
  'MAIL FROM': { ...AFTER_LOGIN, 'no such mailbox': REFUSED_BY_PROVIDER },
  'RCPT TO': AFTER_LOGIN,
  data: AFTER_LOGIN,
  'after the dot': { ...AFTER_LOGIN, silence: forAll(INTERRUPTED), closed: forAll(INTERRUPTED) },
};

/** @param end undefined where the sheet or the outbox failed: put off, and nothing else waits for it */
export function findConsequence(kind: DeliveryKind, end: SmtpEnd | undefined): Consequence {
  // Without a code it may be a limit of the provider, during which an alert must not be lost.
  const isDoubtful = kind === 'alert' && end?.answer === 'no such mailbox' && !end.hasCode;
  if (end === undefined || isDoubtful) return { ...PUT_OFF, others: 'go on' };
  return FAILURE_TABLE[end.stage][end.answer][toMail(kind)];
}

function toMail(kind: DeliveryKind): Mail {
  const rules = DELIVERY_KINDS[kind];
  if (rules.recipient === 'agency') return 'owner';
  return kind === 'update' ? 'update' : 'subscriber';
}

/**
 * Whether a refusal speaks of the mailbox and not of the sender, its pace or the message (RFC 3463, section 3.2 and
 * 3.3; 5.1.10 is RFC 7505's). Without an extended code only a plain refusal of the recipient does.
 * @param reply such as `550 5.1.1 no such user`
 */
export function namesMailbox(stage: Stage, reply: string): boolean {
  const extended = readExtendedCode(reply);
  if (extended !== undefined) return MAILBOX_CODES.includes(extended);
  return stage === 'RCPT TO' && /^55[013]/.test(reply);
}

/** @param reply of several lines perhaps, of which only the last may have a code; a report puts `smtp;` before it */
export function readExtendedCode(reply: string): string | undefined {
  return /^(?:smtp; ?)?\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/im.exec(reply)?.[1];
}

/** The codes that speak of the mailbox itself. */
export const MAILBOX_CODES = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
