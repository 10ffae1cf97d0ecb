import { quoteBriefly } from '#shared/without-addresses.ts';
import { classifyReply } from '../queue/smtp-replies.ts';

/** A mail in the bounce mailbox that is about a mail of ours, or from one of its readers. */
export type Report =
  | {
      /** `refusal`: a refusal for good that says nothing about the mailbox, for example a policy. */
      kind: 'permanent' | 'temporary' | 'refusal' | 'complaint';
      /** The id of the delivery that it is about. */
      deliveryId: string;
      /** For the owner; one line of at most 400 characters, never with an address. */
      reason: string;
    }
  | { kind: 'unsubscribe'; token: string };

/**
 * The parts of a `multipart/report` that a program reads. RFC 6522 fixes their order, so the mail server separates them
 * and sends no more than `MAX_PART_BYTES` of each.
 */
export type ReportParts = {
  /** The headers of the second part. */
  machineHeaders: string;
  /** The second part, still encoded. */
  machinePart: string;
  /** The third part: the mail that the report is about, or its headers. */
  returnedPart: string;
};

/** All that is read of a part, in bytes. */
export const MAX_PART_BYTES = { machineHeaders: 1000, machinePart: 8000, returnedPart: 32_000 } as const;

/** @returns the token of a mail that our `List-Unsubscribe` header asked for, known by its subject */
export function readUnsubscribeToken(headers: string): string | undefined {
  // Mail programs break the line before the token: it is longer than they let a line be.
  return /^unsubscribe ([\w.-]{1,300})$/i.exec(findValue(headers, 'subject') ?? '')?.[1];
}

/** @returns whether a mail with these headers is a report (RFC 6522) */
export function isReport(headers: string): boolean {
  return /^multipart\/report\b/i.test(findValue(headers, 'content-type') ?? '');
}

/**
 * Reads a delivery report (RFC 3464) or a complaint (RFC 5965). Only the returned Message-ID says which
 * mail it is about.
 * @returns undefined for a report of another type, or about a mail of somebody else
 */
export function readReport({ machineHeaders, machinePart, returnedPart }: ReportParts): Report | undefined {
  const deliveryId = MESSAGE_ID.exec(returnedPart)?.[1];
  const contentType = findValue(machineHeaders, 'content-type')?.toLowerCase() ?? '';
  // `global-` where the address is not plain ASCII (RFC 6533).
  const type = /^message\/(?:global-)?(delivery-status|feedback-report)\b/.exec(contentType)?.[1];
  if (deliveryId === undefined || type === undefined) return undefined;
  const isBase64 = findValue(machineHeaders, 'content-transfer-encoding')?.toLowerCase() === 'base64';
  const text = isBase64 ? Buffer.from(machinePart, 'base64').toString() : machinePart;
  // The fields of the message come first, then those of each recipient.
  const groups = text.trim().split(/(?:\r?\n){2,}/, MAX_GROUPS);
  return type === 'feedback-report' ? toComplaint(deliveryId, groups) : toDeliveryReport(deliveryId, groups);
}

/** Each of our mails has one recipient. */
const MAX_GROUPS = 5;

const MESSAGE_ID = /^message-id:\s*<([0-9a-f-]{36})@/im;

function toComplaint(deliveryId: string, [fields = '']: string[]): Report | undefined {
  const type = findValue(fields, 'feedback-type')?.toLowerCase();
  return type === 'abuse' || type === 'fraud'
    ? { kind: 'complaint', deliveryId, reason: `a complaint (${type})` }
    : undefined;
}

function toDeliveryReport(deliveryId: string, groups: string[]): Report | undefined {
  for (const fields of groups) {
    // A comment may follow either.
    const action = /^(failed|delayed)\b/i.exec(findValue(fields, 'action') ?? '')?.[1]?.toLowerCase();
    if (action === undefined) continue;
    const [status = ''] = /^\d\.\d{1,3}\.\d{1,3}\b/.exec(findValue(fields, 'status') ?? '') ?? [];
    const diagnosis = findValue(fields, 'diagnostic-code') ?? '';
    const kind = action === 'delayed' ? 'temporary' : toKind(status, diagnosis);
    const words = quoteBriefly(`${status} ${diagnosis}`, 300);
    return { kind, deliveryId, reason: `${SENTENCES[kind]} (${words})` };
  }
  return undefined;
}

const SENTENCES = {
  permanent: 'a report says that the mailbox does not exist',
  temporary: 'a report says that the mailbox could not be reached',
  refusal: 'a report says that the email was refused',
};

function toKind(status: string, diagnosis: string): 'permanent' | 'temporary' | 'refusal' {
  const reply = /\b\d{3}[ -]/.test(diagnosis) ? diagnosis : `550 ${status} ${diagnosis}`;
  const meaning = classifyReply('report', reply);
  if (meaning === 'mailbox') return 'permanent';
  return meaning === 'full' || status.startsWith('4') ? 'temporary' : 'refusal';
}

/** The value of a header, or of a field that is written as one, its lines joined. */
function findValue(fields: string, name: string): string | undefined {
  const value = new RegExp(`^${name}:(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(fields)?.[1];
  return value?.replaceAll(/\s+/g, ' ').trim();
}
