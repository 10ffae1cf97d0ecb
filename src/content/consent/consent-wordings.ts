import { hash } from 'node:crypto';
import type { Content } from '../schemas/content-schema.ts';
import type { SignUpForm } from '#shared/sign-up-rules.ts';

/** The sentence next to a consent checkbox, and the version by which a consent record refers to it. */
export type ConsentWording = { version: string; wording: string };

/**
 * Returns the consent sentence of each form exactly as a visitor reads it, including the asterisk.
 * The version is a hash of the sentence, so a changed sentence can't keep an old version.
 */
export function makeConsentWordings(home: Content['home']): Record<SignUpForm, ConsentWording> {
  return { Founder: makeWording(home.earlySignUp.consent), Footer: makeWording(home.footerSignUp.consent) };
}

function makeWording(sentence: string): ConsentWording {
  const wording = `${sentence} *`;
  return { version: hashWording(wording), wording };
}

/** The version of a sentence exactly as it was shown. */
export function hashWording(wording: string): string {
  return hash('sha256', wording).slice(0, 12);
}
