import { z } from 'zod';
import {
  CAMPAIGN_PARAMETERS,
  EMAIL_INVALID,
  findProblem,
  NOTICES,
  SIGN_UP_FORMS,
  type SignUpEntry,
  type SignUpForm,
  type SignUpRejection,
  makeSource,
} from '#shared/sign-up-rules.ts';
import { findFieldProblem, OPTIONAL_FIELD_NAMES, type OptionalFields, optionalFields } from '#shared/sign-up-fields.ts';
import { normaliseEmail, toDisplayEmail } from '../subscribers/email.ts';
import { TOKEN_FIELD } from './form-token.ts';
import type { CheckedSignUp } from '../subscribers/subscribe.ts';

/** The result of reading a sign-up. The store checks whether its wording was ever shown. */
export type ReadSignUp =
  | { outcome: 'checked'; signUp: CheckedSignUp; entry: SignUpEntry }
  | { outcome: 'decoy'; entry: SignUpEntry }
  | { outcome: 'rejected'; rejection: SignUpRejection; entry: SignUpEntry };

/**
 * Reads the JSON of the specification, section 7. If `consent` is left out, we rely on the sender, whose form can't be
 * sent until its box is ticked.
 * @param text the request's body
 * @param currentWordings the version of each form's wording, recorded if `consent` is left out; undefined if the form
 *   was on another site, which may have shown another wording
 */
export function readJsonSignUp(text: string, currentWordings: Record<SignUpForm, string> | undefined): ReadSignUp {
  const json = parseJson(text);
  const read = payloadSchema.safeParse(json);
  if (!read.success) return rejectBySchema(read.error, {});
  // A flat object of strings has four quotation marks for each key. JSON.parse keeps only the last value of a repeated
  // key.
  const marks = text.replaceAll(/\\./g, '').split('"').length - 1;
  if (marks !== 4 * Object.keys(json as object).length) return reject({}, 'body', GIVEN_TWICE);
  const { consent, source } = read.data;
  return consent === undefined
    ? check(read.data, currentWordings?.[readForm(source)] ?? null, 'vouched for by the sender')
    : check(read.data, consent, 'ticked box');
}

/**
 * Reads what the form sends without JavaScript: `consent` is the wording's version, sent only if the box is ticked.
 * @param text the request's body, application/x-www-form-urlencoded
 * @param search the query of the page with the form, for its campaign; empty if it isn't known
 */
export function readFormSignUp(text: string, search: string): ReadSignUp {
  const given = new URLSearchParams(text);
  const fields = { email: '', source: '', ...Object.fromEntries(given) };
  if (new Set(given.keys()).size < given.size) return reject(fields, 'body', GIVEN_TWICE);
  // URLSearchParams replaces bytes that aren't UTF-8 with this character.
  if (Object.values(fields).some((value) => value.includes('\uFFFD'))) {
    return reject({}, 'body', 'expected a form in UTF-8');
  }
  // A form that was sent back after a rejection contains its campaign, since it is then on another page.
  const form = SIGN_UP_FORMS.find((each) => each === fields.source);
  const sent = form ? { ...fields, source: makeSource(form, search) } : fields;
  const read = formSchema.safeParse(sent);
  if (!read.success) return rejectBySchema(read.error, sent);
  return check(read.data, read.data.consent ?? '', 'ticked box');
}

const GIVEN_TWICE = 'expected each field once';

/**
 * A missing optional field counts as empty, since a page that was opened before the field was added doesn't send it.
 */
const optionalTexts = Object.fromEntries(OPTIONAL_FIELD_NAMES.map((name) => [name, z.string().default('')])) as Record<
  keyof OptionalFields,
  z.ZodDefault<z.ZodString>
>;

const payloadSchema = z.strictObject({
  email: z.string(),
  name: z.literal('', 'expected an empty string').optional(),
  ...optionalTexts,
  source: z.string(),
  website: z.string().optional(),
  consent: z.string().optional(),
});

const formSchema = payloadSchema.extend({ [TOKEN_FIELD]: z.string().optional() });

type Fields = z.infer<typeof payloadSchema>;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function check(fields: Fields, wordingVersion: string | null, evidence: CheckedSignUp['evidence']): ReadSignUp {
  const entry = readEntry(fields);
  if (fields.website) return { outcome: 'decoy', entry };
  const problem = findProblem({ email: fields.email, consent: wordingVersion !== '' });
  if (problem) return { outcome: 'rejected', rejection: problem, entry };
  const normalisedEmail = normaliseEmail(fields.email);
  if (normalisedEmail === undefined) return { outcome: 'rejected', rejection: EMAIL_INVALID, entry };
  for (const name of OPTIONAL_FIELD_NAMES) {
    const expected = findFieldProblem(name, fields[name]);
    if (expected !== undefined) return reject(fields, name, expected);
  }
  const { source } = fields;
  if (!isSource(source)) return reject(fields, 'source', 'expected a form, or a form, " | " and campaign parameters');
  const email = toDisplayEmail(fields.email);
  const values = optionalFields((name) => fields[name]);
  const signUp = { ...values, email, normalisedEmail, source, form: readForm(source), wordingVersion, evidence };
  return { outcome: 'checked', signUp, entry };
}

function rejectBySchema(error: z.ZodError, fields: Partial<Fields>): ReadSignUp {
  const [issue] = error.issues;
  const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
  return reject(fields, field?.toString() ?? 'body', issue?.message ?? '');
}

function reject(fields: Partial<Fields>, field: string, text: string): ReadSignUp {
  return { outcome: 'rejected', rejection: { title: NOTICES.failed.title, text, field }, entry: readEntry(fields) };
}

/** Reads the values for a form that is shown again; those that weren't sent are empty. */
export function readEntry(fields: Partial<Fields>): SignUpEntry {
  const { source = '' } = fields;
  const form = readForm(source);
  return {
    ...optionalFields((name) => fields[name] ?? ''),
    form,
    source: isSource(source) ? source : form,
    email: fields.email ?? '',
    consent: Boolean(fields.consent),
  };
}

function readForm(source: string): SignUpForm {
  return SIGN_UP_FORMS.find((form) => source === form || source.startsWith(`${form} `)) ?? 'Footer';
}

/** Whether this is a form's name, or one followed by ` | ` and campaign parameters (specification, section 3). */
function isSource(source: string): boolean {
  return SOURCE_PATTERN.test(source) && source.isWellFormed();
}

// A value may contain & and =, so only the first parameter's name is checked.
const SOURCE_PATTERN = new RegExp(
  String.raw`^(${SIGN_UP_FORMS.join('|')})( \| (${CAMPAIGN_PARAMETERS.join('|')})=[^\p{Cc}]+)?$`,
  'u',
);
