import type { DeliveryKind, Subscriber } from '../../database/schema.ts';

/**
 * Who gets each kind of delivery. Its content is composed in mail-sender.ts; a new kind needs an entry in both tables.
 */
export const DELIVERY_KINDS: Record<DeliveryKind, KindRules> = {
  welcome: { recipient: 'subscriber', requiredStates: ['subscribed'] },
  confirmation: { recipient: 'subscriber', requiredStates: ['pending', 'unsubscribed'] },
  'new-address': { recipient: 'new address' },
  notice: { recipient: 'agency' },
  alert: { recipient: 'agency' },
  summary: { recipient: 'agency' },
  'unsubscribe-notice': { recipient: 'agency' },
  // Lower priority than every email that somebody is waiting for.
  renewal: { recipient: 'subscriber', requiredStates: ['subscribed'] },
  update: { recipient: 'subscriber', requiredStates: ['subscribed'] },
  'sheet-row': { recipient: 'sheet' },
  'sheet-unsubscribe': { recipient: 'sheet' },
  'sheet-erasure': { recipient: 'sheet' },
};

/** The rules of one kind of delivery. */
export type KindRules =
  /** An email that is dropped if its subscriber unsubscribes, or is in none of these states when it is due. */
  | { recipient: 'subscriber'; requiredStates: Subscriber['state'][] }
  /** An email to the address to which a subscriber wants to move. It is dropped if they no longer do. */
  | { recipient: 'new address' }
  /** An email to the agency; like every email, it counts towards MAIL_HOURLY_CAP. */
  | { recipient: 'agency' }
  | { recipient: 'sheet' };

/** Lists the kinds with rules that match. */
export function listKinds(matches: (rules: KindRules) => boolean): DeliveryKind[] {
  return (Object.keys(DELIVERY_KINDS) as DeliveryKind[]).filter((kind) => matches(DELIVERY_KINDS[kind]));
}
