import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FormError, NOTICES } from '#shared/sign-up-rules.ts';
import { focusInView } from '#components/focus-in-view.ts';
import { hideToast, toast } from '../toast.ts';
import { checkSubmit, isTooSoon, sendSignUp, type Target, TIMEOUT_MS } from './send-sign-up.ts';

type SignUpState =
  | { status: 'idle'; error?: FormError | undefined }
  | { status: 'submitting' }
  | { status: 'done'; formHeight: number };

/**
 * The life cycle of a submission: idle, submitting, then done, or idle again with an error. A form that is submitted
 * before it is hydrated starts in early-submit.ts.
 * @param returned the error in a form that was returned without JavaScript
 */
export function useSignUp(target: Target, returned: FormError | undefined) {
  const [state, setState] = useState<SignUpState>({ status: 'idle', error: returned });
  const form = useRef<HTMLFormElement>(null);
  const hasPostedPlain = useRef(false);
  useEffect(() => prepareForm(form.current!), []);

  const announceError = async (error: FormError) => {
    toast({ tone: 'error', ...error });
    await nextPaint();
    // Synchronous, so that the field has its description when it gets the focus.
    flushSync(() => setState({ status: 'idle', error }));
    focusInView(form.current!.querySelector<HTMLElement>(error.field ? `[name="${error.field}"]` : '[type="submit"]')!);
  };

  const signUp = async (fields: FormData) => {
    const rejection = checkSubmit(fields);
    if (rejection === 'decoy') return console.log('Sign-up dropped: the decoy field was filled in.');
    if (rejection) return announceError(rejection);
    hideToast();
    setState({ status: 'submitting' });
    // Don't wait for a frame: a background tab gets none.
    const error = await sendSignUp(fields, target);
    if (error) return announceError(error);
    setState({ status: 'done', formHeight: form.current!.offsetHeight });
    // In a new task: the sign-up is stored, so an error in the message must not post the form.
    setTimeout(toast, 0, { tone: 'success', ...NOTICES.success });
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state.status === 'submitting') return;
    signUp(new FormData(event.currentTarget)).catch((error: unknown) => {
      console.error('Posting the form without its scripts.', error);
      postPlain().catch(console.error);
    });
  };

  /** Posts the form as a browser without scripts would, so that no sign-up is lost; once, so that it can't loop. */
  const postPlain = async () => {
    if (hasPostedPlain.current) return announceError(NOTICES.failed);
    hasPostedPlain.current = true;
    // The plain post may be blocked too.
    const timeout = setTimeout(announceError, TIMEOUT_MS, NOTICES.failed);
    const stopWaiting = () => {
      clearTimeout(timeout);
      // The page may return from the back/forward cache.
      setState({ status: 'idle' });
    };
    window.addEventListener('pagehide', stopWaiting, { once: true });
    form.current?.submit();
  };

  /** Clears a field's error once the visitor edits it. */
  const clearError = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (state.status === 'idle' && state.error?.field === name) setState({ status: 'idle' });
  };

  return { state, form, submit, clearError };
}

function prepareForm(form: HTMLFormElement): void {
  // A form that React has rendered again must not show the browser's own messages either.
  form.noValidate = true;
  // The first use of this storage loads it from another process, which takes too long during a press.
  setTimeout(isTooSoon);
}

/** Waits for the next paint, so that a slow phone shows a message before it does the rest of the work. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
