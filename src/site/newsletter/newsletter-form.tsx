import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NOTICES, type Notice, type Problem, type SignUpForm, findProblem, sourceOf } from '#shared/newsletter.ts';
import { OPTIONAL_FIELD_NAMES, type OptionalFields, optionalFields } from '#shared/sign-up-fields.ts';
import { Button } from '#site/ui/button.tsx';
import { CheckboxField, FieldError, TextField } from '#site/ui/field.tsx';
import { OptionalFieldInput } from './optional-field-input.tsx';
import { isTooSoon, rememberSubmit } from './last-submit.ts';
import { sendSignUp } from './send-sign-up.ts';
import { SignedUpPanel } from './signed-up-panel.tsx';
import styles from './newsletter-form.module.css';

type FormState =
  /** `problem` is of a field; `failure` of the whole. */
  { status: 'idle'; problem?: Problem | undefined; failure?: Notice } | { status: 'submitting' } | { status: 'done' };

export type NewsletterFormProps = {
  form: SignUpForm;
  endpoint: string;
  /** The sentence beside the consent box, and the version by which the receiver records it. */
  consent: { version: string; wording: string };
  done: { heading: string; text: string };
  /** The words of the button. */
  join: string;
  /** What was entered and what was wrong with it, when the form comes back without JavaScript. */
  returned?: OptionalFields & { email: string; consent: boolean; problem: Problem | undefined };
};

/**
 * The sign-up: it posts as a plain form, and once awake checks and sends by itself.
 * Its fields belong to the browser, so whatever was typed before it woke is kept.
 */
export function NewsletterForm({ form, endpoint, consent, done, join, returned }: NewsletterFormProps) {
  const [state, setState] = useState<FormState>({ status: 'idle', problem: returned?.problem });
  const element = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = `${form.toLowerCase()}-sign-up`;
  const failure = state.status === 'idle' ? state.failure : undefined;

  useEffect(() => {
    if (state.status !== 'idle') return;
    // Only now does the message stand by its field, to be read out and scrolled into view with it.
    if (state.problem && state.problem !== returned?.problem) focusField(element.current!, state.problem.field);
    // While it was disabled the button lost the focus that it was pressed with.
    if (state.failure && document.activeElement === document.body) button.current?.focus();
  }, [state, returned]);

  if (state.status === 'done') return <SignedUpPanel {...done} as="h3" focused />;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const fail = (notice: Notice) => {
      setState({ status: 'idle', failure: notice });
      return showToast('error', notice);
    };
    const email = String(fields.get('email') ?? '').trim();

    if (fields.get('website')) {
      console.log('Sign-up dropped: the decoy field was filled in.');
      return;
    }
    if (isTooSoon(Date.now())) {
      return fail(NOTICES.tooFast);
    }
    const refuse = (problem: Problem) => {
      setState({ status: 'idle', problem });
      return showToast('error', problem);
    };
    const problem = findProblem({ email, consent: fields.has('consent') });
    if (problem) return refuse(problem);

    setState({ status: 'submitting' });
    try {
      const told = optionalFields((name) => String(fields.get(name) ?? ''));
      const source = sourceOf(form, window.location.search);
      const refused = await sendSignUp({ email, name: '', ...told, source }, { endpoint, consent: consent.version });
      if (refused) return refuse(refused);
    } catch (error) {
      console.error('The sign-up was not sent.', error);
      return fail(NOTICES.failed);
    }
    rememberSubmit(Date.now());
    document.dispatchEvent(new CustomEvent('newsletter:signed-up', { detail: { form } }));
    setState({ status: 'done' });
    await showToast('success', NOTICES.success);
  }

  const problemOf = (field: Problem['field']) =>
    state.status === 'idle' && state.problem?.field === field ? state.problem.text : undefined;
  const clearProblem = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (state.status === 'idle' && state.problem?.field === name) setState({ status: 'idle' });
  };
  const submitting = state.status === 'submitting';

  return (
    <form
      ref={element}
      className={styles.form}
      method="post"
      action={endpoint}
      aria-labelledby={`${id}-heading`}
      onSubmit={submit}
      onChange={clearProblem}
      onFocus={prepareToasts}
    >
      <input type="hidden" name="source" value={form} />
      <TextField
        id={`${id}-email`}
        name="email"
        type="email"
        label="Email"
        autoComplete="email"
        inputMode="email"
        placeholder="you@company.com"
        defaultValue={returned?.email}
        error={problemOf('email')}
        required
      />
      {OPTIONAL_FIELD_NAMES.map((name) => (
        <OptionalFieldInput key={name} id={`${id}-${name}`} name={name} defaultValue={returned?.[name]} />
      ))}
      <div className={styles.decoy} aria-hidden="true">
        <label htmlFor={`${id}-website`}>Website</label>
        <input id={`${id}-website`} name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <div className={styles.end}>
        <CheckboxField
          id={`${id}-consent`}
          name="consent"
          value={consent.version}
          label={consent.wording}
          defaultChecked={returned?.consent}
          error={problemOf('consent')}
          required
        />
        <div className={styles.send}>
          <Button
            ref={button}
            type="submit"
            variant="secondary"
            busy={submitting}
            aria-describedby={failure && `${id}-failure`}
          >
            {submitting ? 'Joining...' : join}
          </Button>
          {failure && <FieldError id={`${id}-failure`} text={failure.text} />}
        </div>
      </div>
    </form>
  );
}

function focusField(form: HTMLFormElement, name: Problem['field']): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** Toasts are fetched when a visitor begins to use a form, so that they are there when it is sent. */
function prepareToasts(): void {
  import('#site/ui/toaster.tsx').catch(() => undefined);
}

/** The same message stands by the field: a toast that fails to load takes nothing from the form. */
async function showToast(tone: 'error' | 'success', notice: { title: string; text: string }): Promise<void> {
  try {
    const { toast } = await import('#site/ui/toaster.tsx');
    toast({ tone, ...notice });
  } catch (error) {
    console.error('The message could not be shown.', error);
  }
}
