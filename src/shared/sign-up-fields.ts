/**
 * The optional fields of a sign-up, described once. The form, the payload and its check, the stored person, the notice,
 * the sheet's row, the export and the import are derived from it; a missing migration is a type error. CONTRIBUTING.md
 * lists what isn't derived: the privacy policy, the desk's pages of people, and the previews of an import.
 */
export const OPTIONAL_FIELDS = {
  role: {
    label: 'Role',
    placeholder: "I'm a... (optional)",
    options: ['Founder', 'CRO / VP Sales', 'Head of Talent', 'Candidate (AE / SE / CSM)', 'Other'],
    migration: '001-tables',
  },
} as const satisfies Record<string, FieldDescription>;

export type FieldDescription = {
  label: string;
  placeholder: string;
  /** The options to choose from; a field without options is a single-line input. */
  options?: readonly string[];
  /** The autocomplete token, such as `organization` (WCAG 2.2, 1.3.5 Identify Input Purpose). */
  autocomplete?: string;
  /** The migration in src/newsletter/database/migrations/ that adds its column, which has the field's name. */
  migration: string;
};

export type OptionalField = keyof typeof OPTIONAL_FIELDS;

/** The names of the migrations that the store must have. */
export type FieldMigration = (typeof OPTIONAL_FIELDS)[OptionalField]['migration'];

/** Every optional field; empty if nothing was given. */
export type OptionalFields = Record<OptionalField, string>;

export const OPTIONAL_FIELD_NAMES = Object.keys(OPTIONAL_FIELDS) as OptionalField[];

/** Returns every optional field with the value that `valueOf` returns for it. */
export function optionalFields(valueOf: (name: OptionalField) => string): OptionalFields {
  return Object.fromEntries(OPTIONAL_FIELD_NAMES.map((name) => [name, valueOf(name)])) as OptionalFields;
}

/** The longest value of a single-line field, in characters. */
export const TEXT_MAX_LENGTH = 200;

/** @returns what was expected instead of a value; undefined if it is valid */
export function findFieldProblem(name: OptionalField, value: string): string | undefined {
  const { options }: FieldDescription = OPTIONAL_FIELDS[name];
  if (options !== undefined) {
    const isOffered = value === '' || options.includes(value);
    return isOffered ? undefined : `expected one of ${options.join(', ')}, or nothing`;
  }
  const isLine = value.length <= TEXT_MAX_LENGTH && !/\p{Cc}/u.test(value) && value.isWellFormed();
  return isLine ? undefined : `expected one line of at most ${TEXT_MAX_LENGTH} characters`;
}
