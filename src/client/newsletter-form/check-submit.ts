import { findProblem, type FormError, NOTICES } from '#shared/newsletter.ts';
import { isTooSoon } from './last-submit.ts';

/**
 * Why a form must not be sent, in the order of section 5 of the specification; undefined if it may.
 * @returns `decoy` for a robot, which gets no message
 */
export function checkSubmit(fields: FormData): 'decoy' | FormError | undefined {
  if (fields.get('website')) return 'decoy';
  if (isTooSoon()) return NOTICES.tooFast;
  return findProblem({ email: readText(fields, 'email'), consent: fields.has('consent') });
}

/** A field's text without the spaces around it. */
export function readText(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
