import { type FieldDescription, OPTIONAL_FIELDS, type OptionalField, TEXT_MAX_LENGTH } from '#shared/sign-up-fields.ts';
import { SelectField, TextField } from '#components/field.tsx';

/** The form's input for one optional field, as its description says. */
export function OptionalFieldInput(input: { id: string; name: OptionalField; defaultValue: string | undefined }) {
  const { label, placeholder, options, autocomplete }: FieldDescription = OPTIONAL_FIELDS[input.name];
  const shared = { ...input, label, placeholder, ...(autocomplete && { autoComplete: autocomplete }) };
  return options === undefined ? (
    <TextField {...shared} type="text" maxLength={TEXT_MAX_LENGTH} />
  ) : (
    <SelectField {...shared} options={options} />
  );
}
