import { toast } from '#site/ui/toaster.ts';
import { checkSubmit } from './check-submit.ts';

/** A submit that came before its form was hydrated. */
export type KeptSubmit = {
  /** `refused` while what is wrong can be mended, `posted` without scripts, `closed` once nothing more comes of it. */
  state: 'pending' | 'refused' | 'posted' | 'closed';
  /** The island's form as it is now: extensions and hydration may replace it. */
  findForm: () => HTMLFormElement;
  /** Ends it, and gives the button back. */
  close: () => void;
};

/**
 * Answers a kept submit. What is wrong is said at once, without React; the hydrated form then takes over, and says it by
 * the field too.
 * @param hydrate hydrates the form, or rejects where its scripts have failed
 * @throws {Error} where the scripts have failed
 */
export async function answerKeptSubmit(submit: KeptSubmit, hydrate: () => Promise<void>): Promise<void> {
  if (submit.state !== 'pending') return;
  const refusal = checkSubmit(new FormData(submit.findForm()));
  if (refusal !== undefined) submit.state = 'refused';
  if (typeof refusal === 'object') {
    toast({ tone: 'error', ...refusal, spoken: true });
    const field = 'field' in refusal && submit.findForm().elements.namedItem(refusal.field);
    if (field instanceof HTMLElement) field.focus();
  }
  await hydrate();
  if (isOpen(submit)) handOver(submit);
}

function isOpen({ state }: KeptSubmit): boolean {
  return state === 'pending' || state === 'refused';
}

/** Lets the hydrated form answer. A copy that has taken its place since does not: it is posted as any form is. */
function handOver(submit: KeptSubmit): void {
  const { state } = submit;
  const form = submit.findForm();
  const isWrong = checkSubmit(new FormData(form)) !== undefined;
  // React marks a form that is sent as busy again before the next frame.
  submit.close();
  // A mistake that has been mended since leaves sending to the visitor.
  if (state === 'refused' && !isWrong) return;
  const isAnswered = !form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  if (isAnswered || isWrong) return;
  submit.state = 'posted';
  form.submit();
}
