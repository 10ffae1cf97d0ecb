import PostalMime, { type Attachment, type Email, type Header } from 'postal-mime';
import { withoutAddresses } from '#shared/without-addresses.ts';

/** What a mail in the bounce mailbox says. */
export type Report =
  | {
      kind: 'permanent' | 'temporary' | 'complaint';
      /** Of the delivery that it is about. */
      deliveryId: string;
      /** For the owner; never with an address. */
      reason: string;
    }
  | { kind: 'unsubscribe'; token: string };

/**
 * Reads a delivery report (RFC 3464), a complaint (RFC 5965), or a mail that our `List-Unsubscribe` header asked for.
 * The mail that a report is about is known by its Message-ID alone, as returned with the report: texts are not guessed
 * at.
 * @returns undefined for any other mail
 */
export async function readReport(source: Uint8Array): Promise<Report | undefined> {
  const mail = await PostalMime.parse(source, { forceRfc822Attachments: true, attachmentEncoding: 'arraybuffer' });
  const token = UNSUBSCRIBE_SUBJECT.exec(mail.subject ?? '')?.[1];
  if (token !== undefined) return { kind: 'unsubscribe', token };
  const deliveryId = await returnedDelivery(mail);
  if (deliveryId === undefined) return undefined;
  const feedback = partOf(mail, 'message/feedback-report');
  if (feedback) {
    const [fields] = await fieldGroups(feedback);
    const type = valueOf(fields, 'feedback-type');
    return type === 'abuse' || type === 'fraud'
      ? { kind: 'complaint', deliveryId, reason: `a complaint (${type})` }
      : undefined;
  }
  const status = partOf(mail, 'message/delivery-status');
  return status && deliveryReport(deliveryId, await fieldGroups(status));
}

/** The subject that `List-Unsubscribe` asks a mail program for. */
export const UNSUBSCRIBE_SUBJECT = /^unsubscribe ([\w.-]+)$/i;

function deliveryReport(deliveryId: string, groups: Header[][]): Report | undefined {
  for (const fields of groups) {
    const action = valueOf(fields, 'action')?.toLowerCase();
    const status = valueOf(fields, 'status') ?? '';
    if (action !== 'failed' && action !== 'delayed') continue;
    const diagnosis = valueOf(fields, 'diagnostic-code') ?? '';
    const reason = withoutAddresses(`${status} ${diagnosis}`.trim()).slice(0, 300);
    // A full mailbox (5.2.2), a policy (5.7) or a fault of the route (5.3, 5.4) says nothing of the address itself.
    const isOfAddress = status.startsWith('5.') && !/^5\.(2\.2|3|4|7)/.test(status);
    return { kind: action === 'failed' && isOfAddress ? 'permanent' : 'temporary', deliveryId, reason };
  }
  return undefined;
}

async function returnedDelivery(mail: Email): Promise<string | undefined> {
  const returned = partOf(mail, 'message/rfc822') ?? partOf(mail, 'text/rfc822-headers');
  if (returned === undefined) return undefined;
  const { messageId } = await PostalMime.parse(returned.content);
  return /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/.exec(messageId ?? '')?.[1];
}

function partOf(mail: Email, type: string): Attachment | undefined {
  return mail.attachments.find(({ mimeType }) => mimeType === type);
}

/** The groups of fields of a report's machine-readable part: of the message first, then of each recipient. */
async function fieldGroups({ content }: Attachment): Promise<Header[][]> {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const groups = text.split(/(?:\r?\n){2,}/).filter((group) => group.trim() !== '');
  return Promise.all(groups.map(async (group) => (await PostalMime.parse(`${group}\r\n\r\n`)).headers));
}

function valueOf(fields: Header[] | undefined, name: string): string | undefined {
  return fields?.find(({ key }) => key === name)?.value.trim();
}
