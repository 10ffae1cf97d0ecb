import { type FocusEvent, useState } from 'react';
import { suggestEmail } from '#shared/suggest-email.ts';

/** Asks "Did you mean anna@gmail.com?" below the field once the visitor has left it. One press accepts it. */
export function useEmailSuggestion() {
  const [suggested, setSuggested] = useState<{ email: string; field: HTMLInputElement }>();
  const onBlur = ({ target: field }: FocusEvent<HTMLInputElement>) => {
    const email = suggestEmail(field.value);
    setSuggested(email === undefined ? undefined : { email, field });
  };
  const onInput = () => setSuggested(undefined);
  const accept = ({ email, field }: NonNullable<typeof suggested>) => {
    field.value = email;
    setSuggested(undefined);
    field.focus();
  };
  const suggestion = suggested ? (
    <button type="button" onClick={() => accept(suggested)}>
      Did you mean {suggested.email}?
    </button>
  ) : null;
  return { onBlur, onInput, suggestion };
}
