import type { Environment } from '#shared/environment.ts';
import type { FollowUps } from './subscribe.ts';

/** What follows from a sign-up or its end, as the owner has set it. */
export function followUpsOf(env: Environment): FollowUps {
  return {
    doubleOptIn: env.DOUBLE_OPT_IN,
    toSheet: env.SHEET_URL !== undefined,
    toAgency: env.NOTIFY_TO !== undefined,
  };
}
