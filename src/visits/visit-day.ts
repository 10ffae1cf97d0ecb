import { onOwnersClock, startOfDay } from '#shared/owners-clock.ts';

/** A day on the owner's calendar, such as `2026-11-22`; its bounds in milliseconds since 1970, the end excluded. */
export type VisitDay = { day: string; from: number; to: number };

/** @param now milliseconds since 1970 */
export function toVisitDay(now: number): VisitDay {
  const date = onOwnersClock(now).toPlainDate();
  return { day: date.toString(), from: startOfDay(date), to: startOfDay(date.add({ days: 1 })) };
}
