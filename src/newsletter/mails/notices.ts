import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import type { DeliveryDetails, SignedUp } from '../deliveries/queue/new-delivery.ts';

/** One line to the agency, which may know who signed up. */
export function composeNotice({ email, source, ...fields }: SignedUp): DeliveryDetails['alert'] {
  const values = OPTIONAL_FIELD_NAMES.map((name) => (fields[name] ? `${name}: ${fields[name]}` : `no ${name} given`));
  return { subject: 'New sign-up', text: `${[email, ...values, `source: ${source}`].join(', ')}\n` };
}

/** One line to the agency when somebody unsubscribes. */
export function composeUnsubscribeNotice({ email }: DeliveryDetails['unsubscribe-notice']): DeliveryDetails['alert'] {
  return { subject: 'Unsubscribed', text: `${email}\n` };
}

/** The end of a sentence addressed to the owner. */
export const OPEN_DESK = 'open your desk, at /desk on your site';
