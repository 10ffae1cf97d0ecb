import { OPTIONAL_FIELDS, type OptionalField, TEXT_MAX_LENGTH } from '#shared/sign-up-fields.ts';
import { SelectField, TextField } from '#site/ui/field.tsx';

/** The form's input for one optional field, as its description says. */
export function OptionalFieldInput(input: { id: string; name: OptionalField; defaultValue: string | undefined }) {
  const {
    migration: _,
    options,
    ...texts
  }: (typeof OPTIONAL_FIELDS)[OptionalField] & { options?: readonly string[] } = OPTIONAL_FIELDS[input.name];
  return options === undefined ? (
    <TextField {...texts} {...input} maxLength={TEXT_MAX_LENGTH} />
  ) : (
    <SelectField {...texts} {...input} options={options} />
  );
}
