import { sql } from 'kysely';

/** Writes the condition of a check constraint: a column has one of these values. */
export function isOneOf(column: string, values: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`;
}
