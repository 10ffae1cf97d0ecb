import type { DeliveryKind, Fault } from '../database/schema.ts';
import type { Ending } from './delivery-failure.ts';
import { DELIVERY_KINDS } from './queue/delivery-kinds.ts';

/**
 * The consequence of a failed attempt for the delivery and the other emails. `bounces/undeliverable.ts` decides the
 * consequence for the person, and `updates/pause-rule.ts` for the update.
 */
export type Consequence = {
  /**
   * `released`: waits until a login succeeds or the limit is lifted, and the attempt isn't counted.
   * `deferred`: is retried after a pause, and fails when its time is up.
   * `rejected`: fails, until the owner retries it.
   * `interrupted`: may have arrived, so it is sent at most once more, and then fails.
   */
  delivery: 'released' | 'deferred' | 'rejected' | 'interrupted';
  /** Whether the other emails wait (10 s to 5 min), are sent more slowly, or carry on as before. */
  others: 'back off' | 'slow down' | 'go on';
  /** Recorded when the delivery fails. */
  fault?: Fault;
  /** Whether status and the weekly email report an outage of the mail server. */
  isOutage?: boolean;
};

/** Decides what happens to the delivery and to the other emails. */
export function decideConsequence(kind: DeliveryKind, ending: Ending): Consequence {
  switch (ending.kind) {
    case 'no login':
      return { delivery: 'released', others: 'back off', isOutage: true };
    case 'limited':
      return { delivery: 'released', others: 'go on', isOutage: true };
    case 'deferred':
      return ending.fault === undefined
        ? { delivery: 'deferred', others: 'slow down' }
        : { delivery: 'deferred', others: 'go on', fault: ending.fault };
    case 'unanswered':
      return { delivery: 'interrupted', others: 'slow down' };
    case 'rejected':
      return decideRejected(kind, ending.fault);
    case 'no mail server':
      return { delivery: 'deferred', others: 'go on' };
  }
}

function decideRejected(kind: DeliveryKind, fault: Exclude<Fault, 'full'>): Consequence {
  switch (fault) {
    case 'sender':
      // Other emails would be rejected as well. Many rejections pause an update; an email in response to a person, or
      // to the owner, waits until the provider accepts emails again.
      return kind === 'update'
        ? { delivery: 'rejected', others: 'go on', fault }
        : { delivery: 'deferred', others: 'slow down', fault, isOutage: true };
    case 'unclear':
      // It may be a limit that has been lifted by the time an email in response to a person is retried.
      return { delivery: kind === 'update' ? 'rejected' : 'deferred', others: 'go on', fault };
    case 'mailbox':
      // The owner's own mailbox: an alert must not be lost.
      if (kind === 'alert') return { delivery: 'deferred', others: 'go on' };
      return {
        delivery: 'rejected',
        others: 'go on',
        fault: DELIVERY_KINDS[kind].recipient === 'subscriber' ? fault : 'sender',
      };
  }
}
