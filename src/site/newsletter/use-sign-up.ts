import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NOTICES, type Notice, type Problem, type SignUpForm, makeSource } from '#shared/newsletter.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { waitForRelease } from '#site/islands/wait-for-release.ts';
import { announce, hideToast, toast, uncoverFocus } from '#site/ui/toaster.ts';
import { checkSubmit, readText } from './check-submit.ts';
import { rememberSubmit } from './last-submit.ts';
import { sendSignUp } from './send-sign-up.ts';

type SignUpState =
  /** `problem` is of a field, and is its description unless `isOnlyShown`; `failure` is of the whole. */
  | { status: 'idle'; problem?: Problem | undefined; isOnlyShown?: boolean; failure?: Notice }
  | { status: 'submitting' }
  | { status: 'done' };

/** Milliseconds until a screen reader knows a field's new description, which it then reads as the focus comes. */
const DESCRIPTION_DELAY_MS = 100;

type Target = { form: SignUpForm; endpoint: string; consentVersion: string };

/**
 * The life cycle of a submit: idle, submitting, done, or idle again with what went wrong.
 * @param returned what was wrong with the form when it came back without JavaScript
 */
export function useSignUp(target: Target, returned: Problem | undefined) {
  const [state, setState] = useState<SignUpState>({ status: 'idle', problem: returned });
  const form = useRef<HTMLFormElement>(null);
  // A form that React has rendered again must not show the browser's own bubbles either.
  useEffect(() => {
    form.current!.noValidate = true;
  }, []);

  /**
   * Says what went wrong, once: by the live region, or where the focus moves to a field by its description. A field
   * that has the focus already is described when it loses it, since some screen readers read a change at the focus,
   * too.
   * @param isAnnounced whether answer-kept-submit.ts has announced it before, and moved the focus
   */
  const refuse = (trouble: Notice | Problem, isAnnounced = false) => {
    const field = 'field' in trouble ? form.current!.elements.namedItem(trouble.field) : undefined;
    const movesFocus = !isAnnounced && field instanceof HTMLElement && field !== document.activeElement;
    setState(
      'field' in trouble
        ? { status: 'idle', problem: trouble, isOnlyShown: !movesFocus }
        : { status: 'idle', failure: trouble },
    );
    toast({ tone: 'error', ...trouble, spoken: !isAnnounced && !movesFocus });
    if (movesFocus) setTimeout(sayAtField, DESCRIPTION_DELAY_MS, trouble, field, document.activeElement);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state.status === 'submitting') return;
    const fields = new FormData(event.currentTarget);
    const refusal = checkSubmit(fields);
    if (refusal === 'decoy') {
      console.log('Sign-up dropped: the decoy field was filled in.');
      return;
    }
    if (refusal) return refuse(refusal, !event.isTrusted);
    hideToast();
    setState({ status: 'submitting' });
    const trouble = await send(fields, target);
    if (trouble) {
      await waitForRelease(form.current!);
      return refuse(trouble);
    }
    setState({ status: 'done' });
    toast({ tone: 'success', ...NOTICES.success, spoken: true });
  };

  /** A field that is being mended is no longer called wrong. */
  const clearProblem = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (state.status === 'idle' && state.problem?.field === name) setState({ status: 'idle' });
  };

  const describeProblem = () => {
    if (state.status === 'idle' && state.isOnlyShown) setState({ ...state, isOnlyShown: false });
  };

  return { state, form, submit, clearProblem, describeProblem };
}

/**
 * Moves the focus to a field: its description says what is wrong.
 * @param before what had the focus. If the visitor has moved on since or is pressing something, the focus stays and the
 * message is announced
 */
function sayAtField(trouble: Notice, field: HTMLElement, before: Element | null): void {
  if (document.activeElement !== before || document.querySelector('form:active')) return announce(trouble);
  field.focus();
  uncoverFocus();
}

/** @returns why the sign-up was refused; undefined once it is stored */
async function send(fields: FormData, { form, endpoint, consentVersion }: Target): Promise<Notice | undefined> {
  try {
    const refused = await sendSignUp(
      {
        email: readText(fields, 'email'),
        name: '',
        ...optionalFields((field) => readText(fields, field)),
        source: makeSource(form, window.location.search),
      },
      { endpoint, consent: consentVersion },
    );
    if (refused) return refused;
  } catch (error) {
    console.error('The sign-up was not sent.', error);
    return NOTICES.failed;
  }
  rememberSubmit();
  document.dispatchEvent(new CustomEvent('newsletter:signed-up', { detail: { form } }));
  return undefined;
}
