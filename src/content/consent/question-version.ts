import { hash } from 'node:crypto';
import type { Content } from '../schemas/content-schema.ts';

/** Changes only with tags, purposes and wording, so that an answer to another question is recognised. */
export function hashQuestion({ agency, consent }: Pick<Content, 'agency' | 'consent'>): string {
  const question = JSON.stringify([agency.tags, consent.banner]);
  return hash('sha256', question, 'base64url').slice(0, 8);
}
