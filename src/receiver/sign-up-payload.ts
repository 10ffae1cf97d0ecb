import { z } from 'zod';
import {
  CAMPAIGN_PARAMETERS,
  CONSENT_REQUIRED,
  EMAIL_INVALID,
  findProblem,
  NOTICES,
  type Notice,
  ROLES,
  SIGN_UP_FORMS,
  type SignUpForm,
  sourceOf,
} from '#shared/newsletter.ts';
import { normaliseAddress } from './address.ts';
import type { CheckedSignUp } from './subscriptions/subscribe.ts';

/** What a form sent, kept so that a failure page can show it again. */
export type SignUpEntry = { form: SignUpForm; email: string; role: string; consent: boolean };

/** Why a sign-up is refused; `field` is the payload's field, where one field is to blame. */
export type SignUpRefusal = Notice & { field?: string };

export type ReadSignUp =
  | { outcome: 'checked'; signUp: CheckedSignUp; entry: SignUpEntry }
  | { outcome: 'decoy'; entry: SignUpEntry }
  | { outcome: 'refused'; refusal: SignUpRefusal; entry: SignUpEntry }
  /** The store, which knows the older wordings, could not be asked. */
  | { outcome: 'unavailable'; cause: unknown; entry: SignUpEntry };

/** Resolves the version of a consent wording; undefined for one that was never shown. */
export type FindWording = (version: string) => Promise<string | undefined>;

/**
 * Reads the JSON of the specification, section 7. A sender that leaves `consent` out has vouched for it: the form does
 * not send before the box is ticked; the form's current wording is recorded.
 * @param text the request's body
 * @param currentWordings the version of each form's wording
 */
export async function readJsonSignUp(
  text: string,
  currentWordings: Record<SignUpForm, string>,
  findWording: FindWording,
): Promise<ReadSignUp> {
  const parsed = payloadSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
    const entry = { form: SIGN_UP_FORMS[1], email: '', role: '', consent: false };
    return { outcome: 'refused', refusal: refuse(field?.toString() ?? 'body', issue?.message ?? ''), entry };
  }
  const { consent, ...fields } = parsed.data;
  return check({ ...fields, consent: consent ?? currentWordings[formOf(fields.source)] }, findWording);
}

/**
 * Reads what the form sends without JavaScript: `consent` is the wording's version, there only when the box is ticked.
 * @param text the request's body, application/x-www-form-urlencoded
 * @param search the query of the page that the form stood on, for its campaign; empty where it is not known
 */
export async function readFormSignUp(text: string, search: string, findWording: FindWording): Promise<ReadSignUp> {
  const form = new URLSearchParams(text);
  const field = (name: string) => form.get(name) ?? '';
  const source = SIGN_UP_FORMS.find((each) => each === field('source'));
  return check(
    {
      email: field('email'),
      role: field('role'),
      source: source ? sourceOf(source, search) : field('source'),
      consent: field('consent'),
      website: field('website'),
    },
    findWording,
  );
}

const payloadSchema = z.strictObject({
  email: z.string(),
  name: z.literal('', 'expected an empty text').optional(),
  role: z.string(),
  source: z.string(),
  website: z.string().optional(),
  consent: z.string().optional(),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = { email: string; role: string; source: string; consent: string; website?: string | undefined };

async function check(fields: Fields, findWording: FindWording): Promise<ReadSignUp> {
  const entry = { form: formOf(fields.source), email: fields.email, role: fields.role, consent: fields.consent !== '' };
  const refused = (refusal: SignUpRefusal): ReadSignUp => ({ outcome: 'refused', refusal, entry });
  if (fields.website) return { outcome: 'decoy', entry };

  const problem = findProblem({ email: fields.email, consent: entry.consent });
  if (problem) return refused(problem);
  const normalisedAddress = normaliseAddress(fields.email);
  if (normalisedAddress === undefined) return refused(EMAIL_INVALID);
  if (fields.role !== '' && !ROLES.some((role) => role === fields.role)) {
    return refused(refuse('role', 'expected one of the roles offered, or an empty text'));
  }
  if (!isSource(fields.source)) {
    return refused(refuse('source', 'expected a form, or a form, " | " and campaign parameters'));
  }
  try {
    if ((await findWording(fields.consent)) === undefined) return refused(CONSENT_REQUIRED);
  } catch (cause) {
    return { outcome: 'unavailable', cause, entry };
  }
  return {
    outcome: 'checked',
    entry,
    signUp: {
      email: fields.email.trim(),
      normalisedAddress,
      role: fields.role,
      source: fields.source,
      form: entry.form,
      wordingVersion: fields.consent,
    },
  };
}

function refuse(field: string, text: string): SignUpRefusal {
  return { title: NOTICES.failed.title, text, field };
}

function formOf(source: string): SignUpForm {
  return SIGN_UP_FORMS.find((form) => source === form || source.startsWith(`${form} `)) ?? 'Footer';
}

/** Section 3: a form's name, and behind ` | ` the campaign parameters in their order, each at most once. */
function isSource(source: string): boolean {
  return SOURCE_PATTERN.test(source) && source.isWellFormed();
}

// A campaign's value may itself hold & and =: what matters is that the first pair is one of the five.
const SOURCE_PATTERN = new RegExp(
  String.raw`^(${SIGN_UP_FORMS.join('|')})( \| (${CAMPAIGN_PARAMETERS.join('|')})=[^\p{Cc}]+)?$`,
  'u',
);
