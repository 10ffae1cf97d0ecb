import { waitForRelease } from '#site/islands/wait-for-release.ts';
import { hideToast, toast } from '#site/ui/toaster.ts';
import { checkSubmit } from './check-submit.ts';

/** A submit that came before its form was hydrated. */
export type KeptSubmit = {
  /** `refused` while what is wrong can be mended, `posted` without scripts, `closed` once nothing more comes of it. */
  state: 'pending' | 'refused' | 'posted' | 'closed';
  /**
   * The field or button that had the focus; a visitor who is in another field by the time of the answer stays there.
   */
  focused: Element | null;
  /** The island's form as it is now: extensions and hydration may replace it. */
  findForm: () => HTMLFormElement;
  /** Ends it, and gives the button back. */
  close: () => void;
};

/**
 * Answers a kept submit. A toast names a mistake at once, without React; the hydrated form then takes over, and names
 * it at the field too.
 * @param hydrate hydrates the form, or rejects where its scripts have failed
 * @throws {Error} where the scripts have failed
 */
export async function answerKeptSubmit(submit: KeptSubmit, hydrate: () => Promise<void>): Promise<void> {
  await waitForRelease(submit.findForm());
  if (submit.state !== 'pending') return;
  const refusal = checkSubmit(new FormData(submit.findForm()));
  if (refusal !== undefined) submit.state = 'refused';
  sayRefusal(submit, refusal);
  await hydrate();
  if (submit.state === 'pending' || submit.state === 'refused') handOver(submit, refusal);
}

function sayRefusal(submit: KeptSubmit, refusal: Refusal): void {
  if (typeof refusal !== 'object') return hideToast();
  toast({ tone: 'error', ...refusal, spoken: true });
  const field = 'field' in refusal && submit.findForm().elements.namedItem(refusal.field);
  const hasMovedOn = ![submit.focused, document.body].includes(document.activeElement);
  if (field instanceof HTMLElement && !hasMovedOn) field.focus();
}

type Refusal = ReturnType<typeof checkSubmit>;

/**
 * Lets the hydrated form answer. A copy that has taken its place since does not: it is posted as any form is.
 * @param earlier why the form was refused before; a visitor who has changed that since is left to send it
 */
function handOver(submit: KeptSubmit, earlier: Refusal): void {
  const form = submit.findForm();
  const refusal = checkSubmit(new FormData(form));
  // React marks a form that is sent as busy again before the next frame.
  submit.close();
  if (earlier === undefined) sayRefusal(submit, refusal);
  else if (refusal !== earlier) return;
  const isAnswered = !form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  if (isAnswered || refusal !== undefined) return;
  submit.state = 'posted';
  form.submit();
}
