/**
 * A time as the store keeps it: ISO 8601 in UTC with milliseconds, whose alphabetical order is chronological.
 * @param milliseconds since 1970
 */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
