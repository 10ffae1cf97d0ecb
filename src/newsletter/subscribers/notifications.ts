import type { Environment } from '#settings/environment.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { createDelivery, type SignedUp } from '../deliveries/queue/new-delivery.ts';
import type { Delivery } from '../database/schema.ts';

/** The settings for notifying the sheet and the agency; each is notified only if its setting is set. */
export type NotificationSettings = Pick<Environment, 'SHEET_URL' | 'NOTIFY_TO'>;

/**
 * Creates the sheet's row and the notice to the agency about a new subscriber, each if its setting is set.
 * @param now milliseconds since 1970
 */
export function createNotifications(
  subscriberId: string,
  { email, source, ...fields }: SignedUp,
  { SHEET_URL, NOTIFY_TO }: NotificationSettings,
  now: number,
): Delivery[] {
  const details = { email, ...optionalFields((name) => fields[name]), source };
  return [
    ...(SHEET_URL ? [createDelivery('sheet-row', subscriberId, details, now)] : []),
    ...(NOTIFY_TO ? [createDelivery('notice', subscriberId, details, now)] : []),
  ];
}
