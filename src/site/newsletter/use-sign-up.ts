import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NOTICES, type Notice, type Problem, type SignUpForm, makeSource } from '#shared/newsletter.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { toast } from '#site/ui/toaster.ts';
import { checkSubmit, focusField, textOf } from './check-submit.ts';
import { rememberSubmit } from './last-submit.ts';
import { sendSignUp } from './send-sign-up.ts';

export type SignUpState =
  /** `problem` is of a field; `failure` of the whole. */
  | { status: 'idle'; problem?: Problem | undefined; failure?: Notice | undefined }
  | { status: 'submitting' }
  | { status: 'done' };

type Target = { form: SignUpForm; endpoint: string; consentVersion: string };

/**
 * The life cycle of a submit: idle, submitting, done, or idle again with what went wrong.
 * @param returned what was wrong with the form when it came back without JavaScript
 */
export function useSignUp(target: Target, returned: Problem | undefined) {
  const [state, setState] = useState<SignUpState>({ status: 'idle', problem: returned });
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  useFocusOnTrouble(form, state);
  // A form that React has rendered afresh must not show the browser's own bubbles either.
  useEffect(() => {
    form.current!.noValidate = true;
  }, []);

  /** @param isAnnounced whether it was announced before, by answer-kept-submit.ts */
  const refuse = (trouble: Notice | Problem, isAnnounced = false) => {
    const spoken = !isAnnounced && !isDescribedAtFocus(trouble, form.current!);
    setState('field' in trouble ? { status: 'idle', problem: trouble } : { status: 'idle', failure: trouble });
    toast({ tone: 'error', ...trouble, spoken });
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending.current) return;
    const fields = new FormData(event.currentTarget);
    const refusal = checkSubmit(fields);
    if (refusal === 'decoy') {
      console.log('Sign-up dropped: the decoy field was filled in.');
      return;
    }
    if (refusal) return refuse(refusal, (event.nativeEvent as SubmitEvent).submitter === null);
    setState({ status: 'submitting' });
    isSending.current = true;
    const trouble = await send(fields, target);
    isSending.current = false;
    if (trouble) return refuse(trouble);
    setState({ status: 'done' });
    toast({ tone: 'success', ...NOTICES.success, spoken: true });
  };

  /** A field that is being mended is no longer called wrong. */
  const clearProblem = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (state.status === 'idle' && state.problem?.field === name) setState({ status: 'idle' });
  };

  return { state, form, submit, clearProblem };
}

/** Whether the focus moves to the field, whose description then says what is wrong. */
function isDescribedAtFocus(trouble: Notice | Problem, form: HTMLFormElement): boolean {
  return 'field' in trouble && form.elements.namedItem(trouble.field) !== document.activeElement;
}

/** Once the message stands by its field it is read out, and scrolled into view, with the field's focus. */
function useFocusOnTrouble(form: { current: HTMLFormElement | null }, state: SignUpState): void {
  useEffect(() => {
    if (state.status === 'idle' && state.problem) focusField(form.current!, state.problem.field);
  }, [form, state]);
}

/** @returns what stands in the way of the sign-up; undefined once it is stored */
async function send(fields: FormData, { form, endpoint, consentVersion }: Target): Promise<Notice | undefined> {
  try {
    const refused = await sendSignUp(
      {
        email: textOf(fields, 'email'),
        name: '',
        ...optionalFields((field) => textOf(fields, field)),
        source: makeSource(form, window.location.search),
      },
      { endpoint, consent: consentVersion },
    );
    if (refused) return refused;
  } catch (error) {
    console.error('The sign-up was not sent.', error);
    return NOTICES.failed;
  }
  rememberSubmit(Date.now());
  document.dispatchEvent(new CustomEvent('newsletter:signed-up', { detail: { form } }));
  return undefined;
}
