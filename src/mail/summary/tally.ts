/** How often each value came. */
export type Tally = Map<string, number>;

export function addTo(tally: Tally, value: string, count = 1): void {
  tally.set(value, (tally.get(value) ?? 0) + count);
}
