import type { Environment } from '#shared/environment.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { newDelivery, type SignedUp } from '#store/new-delivery.ts';
import type { Delivery } from '#store/schema.ts';

/** Deliveries that follow from a sign-up or its end; they are queued in the same transaction. */
export type FollowUps = { doubleOptIn: boolean; toSheet: boolean; toAgency: boolean };

/** Reads which deliveries follow from a sign-up or its end, as the owner has set them. */
export function readFollowUps(env: Environment): FollowUps {
  return {
    doubleOptIn: env.DOUBLE_OPT_IN,
    toSheet: env.SHEET_URL !== undefined,
    toAgency: env.NOTIFY_TO !== undefined,
  };
}

/**
 * The sheet's row and the notice to the agency about somebody who is subscribed now, where they are wanted.
 * @param now milliseconds since 1970
 */
export function createNotifications(
  subscriberId: string,
  { email, source, ...fields }: SignedUp,
  { toSheet, toAgency }: FollowUps,
  now: number,
): Delivery[] {
  const details = { email, ...optionalFields((name) => fields[name]), source };
  return [
    ...(toSheet ? [newDelivery('sheet-row', subscriberId, details, now)] : []),
    ...(toAgency ? [newDelivery('notice', subscriberId, details, now)] : []),
  ];
}
