import { JOINING_LABEL, type Problem, type SignUpForm } from '#shared/newsletter.ts';
import { OPTIONAL_FIELD_NAMES, type OptionalFields } from '#shared/sign-up-fields.ts';
import { Button } from '#site/ui/button.tsx';
import { CheckboxField, FieldError, type ShownError, TextField } from '#site/ui/field.tsx';
import { OptionalFieldInput } from './optional-field-input.tsx';
import { SignedUpPanel } from './signed-up-panel.tsx';
import { useSignUp } from './use-sign-up.ts';
import styles from './newsletter-form.module.css';

type NewsletterFormProps = {
  form: SignUpForm;
  endpoint: string;
  /** The sentence beside the consent box, and the version under which the server records it. */
  consent: { version: string; wording: string };
  done: { heading: string; text: string };
  /** The words of the button. */
  join: string;
  /** The values that were entered and the mistake in them, when the form comes back without JavaScript. */
  returned?: OptionalFields & {
    source: string;
    email: string;
    consent: boolean;
    token: string;
    problem: Problem | undefined;
  };
};

/**
 * The sign-up: it posts as a plain form, and once hydrated checks and sends by itself.
 * Its fields belong to the browser, so text that was typed before that is kept.
 */
export function NewsletterForm({ form: name, endpoint, consent, done, join, returned }: NewsletterFormProps) {
  const target = { form: name, endpoint, consentVersion: consent.version };
  const { state, form, submit, clearProblem, describeProblem } = useSignUp(target, returned?.problem);
  const id = `${name.toLowerCase()}-sign-up`;
  if (state.status === 'done') return <SignedUpPanel {...done} />;

  const { problem, isOnlyShown, failure } = state.status === 'idle' ? state : {};
  const isSubmitting = state.status === 'submitting';
  const errorAt = (field: Problem['field']) =>
    problem?.field === field ? { text: problem.text, isOnlyShown } : undefined;
  return (
    // React removes this element once the form is done, also where an extension has wrapped the form in one of its own.
    <div>
      <form
        ref={form}
        className={styles.form}
        method="post"
        action={endpoint}
        aria-labelledby={`${id}-heading`}
        onSubmit={submit}
        onChange={clearProblem}
        onBlur={describeProblem}
        // By the time this hydrates the loader has set `novalidate`, and in Firefox `aria-required` for `required`.
        suppressHydrationWarning
      >
        <input type="hidden" name="source" value={returned?.source ?? name} />
        {returned && <input type="hidden" name="token" value={returned.token} />}
        <EntryFields id={id} error={errorAt('email')} returned={returned} />
        <div className={styles.end}>
          <CheckboxField
            id={`${id}-consent`}
            name="consent"
            value={consent.version}
            label={consent.wording}
            defaultChecked={returned?.consent}
            required
            suppressHydrationWarning
            error={errorAt('consent')}
          />
          <div className={styles.send}>
            {/* The loader has marked a pressed button as busy by the time this hydrates. */}
            <Button type="submit" variant="secondary" busy={isSubmitting} suppressHydrationWarning>
              {isSubmitting ? JOINING_LABEL : join}
            </Button>
            {failure && <FieldError text={failure.text} />}
          </div>
        </div>
      </form>
    </div>
  );
}

function EntryFields(fields: { id: string; error: ShownError | undefined; returned: NewsletterFormProps['returned'] }) {
  const { id, error, returned } = fields;
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
        suppressHydrationWarning
        error={error}
      />
      {OPTIONAL_FIELD_NAMES.map((name) => (
        <OptionalFieldInput key={name} id={`${id}-${name}`} name={name} defaultValue={returned?.[name]} />
      ))}
      <div className={styles.decoy} aria-hidden="true">
        <label htmlFor={`${id}-website`}>Website</label>
        <input id={`${id}-website`} name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
    </>
  );
}
