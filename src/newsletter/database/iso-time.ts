/**
 * A time as the store keeps it: ISO 8601 in UTC with milliseconds, which sorts as it reads.
 * @param milliseconds since 1970
 */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
