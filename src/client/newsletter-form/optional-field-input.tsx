import { type FieldDescription, OPTIONAL_FIELDS, type OptionalField, TEXT_MAX_LENGTH } from '#shared/sign-up-fields.ts';
import { SelectField, TextField } from '#components/field.tsx';

type OptionalFieldInputProps = { id: string; name: OptionalField; defaultValue: string | undefined };

/** Renders the input of one optional field, as its description says. */
export function OptionalFieldInput({ name, ...input }: OptionalFieldInputProps) {
  const { label, placeholder, options, autocomplete }: FieldDescription = OPTIONAL_FIELDS[name];
  const shared = { ...input, name, label, placeholder, ...(autocomplete && { autoComplete: autocomplete }) };
  return options === undefined ? (
    <TextField {...shared} type="text" maxLength={TEXT_MAX_LENGTH} />
  ) : (
    <SelectField {...shared} options={options} />
  );
}
