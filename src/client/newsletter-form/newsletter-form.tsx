import { type FormError, JOINING_LABEL, nameForm, NOTICES, type SignUpForm } from '#shared/sign-up-rules.ts';
import { OPTIONAL_FIELD_NAMES, type OptionalFields } from '#shared/sign-up-fields.ts';
import { Button } from '#components/button.tsx';
import { CheckboxField, FieldError, TextField } from '#components/field.tsx';
import { OptionalFieldInput } from './optional-field-input.tsx';
import { SignedUpPanel } from './signed-up-panel.tsx';
import { useEmailSuggestion } from './use-email-suggestion.tsx';
import { useSignUp } from './use-sign-up.ts';
import styles from './newsletter-form.module.css';

type NewsletterFormProps = {
  form: SignUpForm;
  endpoint: string;
  /** The sentence next to the consent checkbox, and the version under which the server records it. */
  consent: { version: string; wording: string };
  done: { heading: string; text: string };
  /** Where to write if the form fails. */
  email: string;
  /** The button's label. */
  join: string;
  /** The submitted values and their error, if the form is returned without JavaScript. */
  returned?: OptionalFields & {
    source: string;
    email: string;
    consent: boolean;
    token: string;
    error: FormError | undefined;
  };
};

/**
 * The sign-up form. It posts as a plain form; once hydrated, it validates and sends by script.
 * Its fields are uncontrolled, so text that was typed before hydration is kept.
 */
export function NewsletterForm({ form: name, endpoint, consent, done, email, join, returned }: NewsletterFormProps) {
  const target = { form: name, endpoint, consentVersion: consent.version };
  const { state, form, submit, clearError } = useSignUp(target, returned?.error);
  const id = nameForm(name);
  if (state.status === 'done') return <SignedUpPanel {...done} formHeight={state.formHeight} />;

  const error = state.status === 'idle' ? state.error : undefined;
  const isSubmitting = state.status === 'submitting';
  const findErrorAt = (field: FormError['field']) => (error?.field === field ? error?.text : undefined);
  const failure = findErrorAt(undefined);
  return (
    // React can remove this element after the sign-up even if an extension has wrapped the form.
    <div>
      <form
        ref={form}
        className={styles.form}
        method="post"
        action={endpoint}
        aria-labelledby={`${id}-heading`}
        onSubmit={submit}
        onChange={clearError}
        // The loader has set `novalidate` by the time this hydrates.
        suppressHydrationWarning
      >
        <input type="hidden" name="source" value={returned?.source ?? name} />
        {returned && <input type="hidden" name="token" value={returned.token} />}
        <EntryFields id={id} error={findErrorAt('email')} returned={returned} />
        <div className={styles.end}>
          <CheckboxField
            id={`${id}-consent`}
            name="consent"
            value={consent.version}
            label={consent.wording}
            defaultChecked={returned?.consent}
            required
            error={findErrorAt('consent')}
          />
          <div className={styles.send}>
            {/* The loader has marked a pressed button as busy by the time this hydrates. */}
            <Button
              type="submit"
              variant="secondary"
              busy={isSubmitting}
              aria-describedby={failure && `${id}-failure`}
              suppressHydrationWarning
            >
              {isSubmitting ? JOINING_LABEL : join}
            </Button>
            {failure && <Failure id={`${id}-failure`} text={failure} email={email} />}
          </div>
        </div>
      </form>
    </div>
  );
}

/** 1Password, LastPass, Bitwarden and Dashlane would fill in the decoy, and the sign-up would be dropped. */
const LEFT_BY_PASSWORD_MANAGERS = {
  'data-1p-ignore': 'true',
  'data-lpignore': 'true',
  'data-bwignore': 'true',
  'data-form-type': 'other',
};

type EntryFieldsProps = { id: string; error: string | undefined; returned: NewsletterFormProps['returned'] };

function EntryFields({ id, error, returned }: EntryFieldsProps) {
  return (
    <>
      <TextField
        id={`${id}-email`}
        name="email"
        type="email"
        label="Email *"
        autoComplete="email"
        inputMode="email"
        placeholder="you@company.com"
        defaultValue={returned?.email}
        required
        error={error}
        {...useEmailSuggestion()}
      />
      {OPTIONAL_FIELD_NAMES.map((name) => (
        <OptionalFieldInput key={name} id={`${id}-${name}`} name={name} defaultValue={returned?.[name]} />
      ))}
      <div className={styles.decoy} aria-hidden="true">
        <label htmlFor={`${id}-website`}>Website</label>
        <input
          id={`${id}-website`}
          name="website"
          type="text"
          tabIndex={-1}
          autoComplete="off"
          {...LEFT_BY_PASSWORD_MANAGERS}
        />
      </div>
    </>
  );
}

type FailureProps = { id: string; text: string; email: string };

/** Why the sign-up failed and, if it wasn't the visitor's fault, where to write. */
function Failure({ id, text, email }: FailureProps) {
  return (
    <div className={styles.failure}>
      <FieldError id={id} text={text} />
      {text === NOTICES.failed.text && (
        <p className={styles.otherwise}>
          Or write to <a href={`mailto:${email}`}>{email}</a>.
        </p>
      )}
    </div>
  );
}
