import { CompiledQuery, type Transaction } from 'kysely';
import type { Store } from './open-store.ts';
import type { Schema } from './schema.ts';

/**
 * Inserts rows that all have the same columns, in any order. The statement for each number of rows is compiled
 * once: under load that is a tenth of what a sign-up costs.
 * @param ending what follows the values, such as `on conflict`; a constant, as it is part of the statement
 * @returns the rows that `ending` returns
 */
export async function insertRows<T extends keyof Schema, R = never>(
  store: Store,
  tx: Transaction<Schema>,
  table: T,
  rows: Schema[T][],
  ending = '',
): Promise<R[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first) as (keyof Schema[T])[];
  // Named by its columns: rows of another shape must never fill the places of these.
  const key = `${store.kind} ${table} (${columns.join()}) ${rows.length} ${ending}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    const { sql } = tx.insertInto<keyof Schema>(table).values(rows).compile();
    statement = `${sql} ${ending}`;
    statements.set(key, statement);
  }
  const values = rows.flatMap((row) => columns.map((column) => row[column]));
  if (values.includes(undefined as never)) throw new Error(`a row for ${table} lacks a column of the first`);
  const { rows: returned } = await tx.executeQuery<R>(CompiledQuery.raw(statement, values));
  return returned;
}

const statements = new Map<string, string>();
