import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { startNewsletter } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';

/** A report in the format of RFC 3464, appendix A. */
export function deliveryReport(
  deliveryId: string,
  fields: { action: string; status: string; diagnosis: string },
): string {
  return `From: Mail Delivery Subsystem <mailer-daemon@mx.example>
To: <office@agency.example>
Subject: Undelivered Mail Returned to Sender
Message-ID: <${deliveryId}-${fields.status}@mx.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="parts"

--parts
Content-Type: text/plain

Your message to <reader0@example.org> could not be delivered.

--parts
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example
Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822; reader0@example.org
Action: ${fields.action}
Status: ${fields.status}
Diagnostic-Code: smtp; ${fields.diagnosis}

--parts
Content-Type: message/rfc822

From: The Agency <office@agency.example>
To: <reader0@example.org>
Subject: An update
Message-ID: <${deliveryId}@agency.example>

Words.

--parts--
`.replaceAll('\n', '\r\n');
}

export const GONE = { action: 'failed', status: '5.1.1', diagnosis: '550 5.1.1 <reader0@example.org>: no such user' };

/** One subscriber, and the delivery of an email to them. */
export async function oneReader(variables: Record<string, string> = {}) {
  const running = await startNewsletter(variables);
  const { store, people } = running;
  await seedSubscribers(store, 1, { secret: running.newsletter.secret });
  const reader = async () => (await people())[0]!;
  const person = await reader();
  const delivery = { ...createDelivery('welcome', person.id, {}, Date.now()), state: 'sent' as const };
  await store.db.insertInto('deliveries').values(delivery).execute();
  return { running, person, delivery, reader };
}
