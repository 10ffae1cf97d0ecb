import { explainQueryFailure } from '#newsletter/database/explain-store-failure.ts';
import { describeError } from '#shared/describe-error.ts';
import { explainError, isForOwner, UNEXPECTED } from '#shared/explain-codes.ts';
import type { Desk } from './desk-types.ts';

/** The parts of the desk that explain an error. */
export type ExplainingDesk = Pick<Desk, 'log'> & { env: Parameters<typeof explainQueryFailure>[1] };

/** Explains why something failed. The message of a bug means something only to an engineer, so it goes to the log. */
export function explainToOwner(error: unknown, { env, log }: ExplainingDesk): string {
  const explained = explainQueryFailure(error, env);
  if (isForOwner(explained)) return explainError(explained);
  log(`Desk: ${describeError(error)}.`);
  return `${UNEXPECTED}.`;
}
