import { randomUUID } from 'node:crypto';
import type { Context, Handler } from 'hono';
import type { Answer, Desk, Mistake } from './desk-types.ts';

/** The texts of a form, by the names of their fields. */
export type Typed = Mistake['typed'];

/** @returns where the form leads, and the sentence that the page there says */
type Act = (typed: Typed, context: Context) => Promise<NextPage | undefined> | NextPage | undefined;
type NextPage = { to: string; notice?: string };

/**
 * Answers a form: calls a verb, then goes on to a page. After a mistake that is the form's own page, with all that was
 * typed; it is never the answer to the form itself, so that Back and reloading work.
 * @param act calls the verb; undefined where there is no such person or update. @throws in words
 * @param options.field the field that says what the verb threw; left out where the top of the page says it, and the page
 *   keeps what was typed
 * @param options.findPage the address of the form's page; left out where the form is sent to it
 */
export function answerForm(
  { answers }: Desk,
  act: Act,
  {
    field,
    findPage = ({ req }) => req.path,
  }: { field?: string | undefined; findPage?: (context: Context) => string } = {},
): Handler {
  return async (context) => {
    const form = Object.entries(await context.req.parseBody());
    const typed = Object.fromEntries(form.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    const goTo = (page: string, answer: Answer) => {
      const key = randomUUID();
      answers.set(key, answer);
      if (answers.size > MAX_ANSWERS) answers.delete(answers.keys().next().value!);
      return context.redirect(`${page}?answer=${key}`, 303);
    };
    try {
      const next = await act(typed, context);
      if (next === undefined) return await context.notFound();
      return next.notice === undefined ? context.redirect(next.to, 303) : goTo(next.to, next);
    } catch (error) {
      const { message } = error as Error;
      return goTo(findPage(context), { mistake: { field, message, typed: field === undefined ? {} : typed } });
    }
  };
}

/** More pages than anybody has open or goes back to. */
const MAX_ANSWERS = 100;

/** The page whose address is that of a form without its last part. */
export function findPageAbove({ req: { path } }: Context): string {
  return path.slice(0, path.lastIndexOf('/'));
}
