import { toast } from '#site/ui/toaster.ts';
import { checkSubmit, focusField } from './check-submit.ts';

/**
 * Answers a submit that came before its form was hydrated. What is wrong is said at once, without React; the hydrated
 * form then takes over, and says it by the field too.
 * @param hydrating settles once the form is hydrated, or its script has failed to come
 */
export async function answerKeptSubmit(form: HTMLFormElement, hydrating: Promise<void>): Promise<void> {
  const refusal = checkSubmit(new FormData(form));
  if (typeof refusal === 'object') {
    toast({ tone: 'error', ...refusal, spoken: true });
    if ('field' in refusal) focusField(form, refusal.field);
  }
  const isHydrated = await hydrating.then(
    () => true,
    () => false,
  );
  if (refusal === undefined && !isHydrated) form.submit();
  // What has been mended meanwhile is the visitor's to send.
  else if (isHydrated && checkSubmit(new FormData(form)) === refusal) form.requestSubmit();
}
