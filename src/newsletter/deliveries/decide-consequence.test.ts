import { expect, test } from 'vitest';
import type { DeliveryKind } from '../database/schema.ts';
import { type Consequence, decideConsequence } from './decide-consequence.ts';
import type { Ending } from './delivery-failure.ts';

const EVERY_KIND: DeliveryKind[] = ['welcome', 'update', 'notice', 'alert'];
const AWAITED: DeliveryKind[] = ['welcome', 'notice', 'alert'];

test.each<[Ending, DeliveryKind[], Consequence]>([
  [{ kind: 'no login' }, EVERY_KIND, { delivery: 'released', others: 'back off', isOutage: true }],
  [{ kind: 'limited', pauseMs: 1 }, EVERY_KIND, { delivery: 'released', others: 'go on', isOutage: true }],
  [{ kind: 'deferred' }, EVERY_KIND, { delivery: 'deferred', others: 'slow down' }],
  [{ kind: 'deferred', fault: 'full' }, EVERY_KIND, { delivery: 'deferred', others: 'go on', fault: 'full' }],
  [{ kind: 'unanswered' }, EVERY_KIND, { delivery: 'interrupted', others: 'slow down' }],
  [
    { kind: 'rejected', fault: 'sender' },
    AWAITED,
    { delivery: 'deferred', others: 'slow down', fault: 'sender', isOutage: true },
  ],
  [{ kind: 'rejected', fault: 'sender' }, ['update'], { delivery: 'rejected', others: 'go on', fault: 'sender' }],
  [{ kind: 'rejected', fault: 'unclear' }, AWAITED, { delivery: 'deferred', others: 'go on', fault: 'unclear' }],
  [{ kind: 'rejected', fault: 'unclear' }, ['update'], { delivery: 'rejected', others: 'go on', fault: 'unclear' }],
  [
    { kind: 'rejected', fault: 'mailbox' },
    ['welcome', 'update'],
    { delivery: 'rejected', others: 'go on', fault: 'mailbox' },
  ],
  // The owner's own mailbox: nobody on the list is undeliverable, and an alert must not be lost.
  [{ kind: 'rejected', fault: 'mailbox' }, ['notice'], { delivery: 'rejected', others: 'go on', fault: 'sender' }],
  [{ kind: 'rejected', fault: 'mailbox' }, ['alert'], { delivery: 'deferred', others: 'go on' }],
])('decides the consequences of %o for %j', (ending, kinds, consequence) => {
  for (const kind of kinds) expect(decideConsequence(kind, ending)).toEqual(consequence);
});
