import { randomUUID } from 'node:crypto';
import type { Context, Handler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Answer, Desk, Mistake } from './desk-types.ts';
import { OWN_COOKIE } from './security.ts';

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
  { field, findPage = readPath }: { field?: string | undefined; findPage?: (context: Context) => string } = {},
): Handler {
  return async (context) => {
    const form = Object.entries(await context.req.parseBody());
    const typed = Object.fromEntries(form.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    const keep = (answer: Answer) => {
      const key = randomUUID();
      answers.set(key, answer);
      if (answers.size > MAX_ANSWERS) answers.delete(answers.keys().next().value!);
      return key;
    };
    try {
      const next = await act(typed, context);
      if (next === undefined) return await context.notFound();
      if (next.notice !== undefined) setCookie(context, NOTICE_COOKIE, keep(next), OWN_COOKIE);
      return context.redirect(next.to, 303);
    } catch (error) {
      const { message } = error as Error;
      const key = keep({ mistake: { field, message, typed: field === undefined ? {} : typed } });
      return context.redirect(`${findPage(context)}?answer=${key}`, 303);
    }
  };
}

/** Names the notice of the next page, which takes the cookie back: a reload does not repeat it. */
const NOTICE_COOKIE = 'desk-notice';

/** More pages than anybody has open or goes back to. */
const MAX_ANSWERS = 100;

/** What the form before this page did, once; or why it did nothing, for as long as its address is open. */
export function takeAnswer({ answers }: Desk, context: Context): Answer {
  const notice = getCookie(context, NOTICE_COOKIE);
  if (notice !== undefined) deleteCookie(context, NOTICE_COOKIE);
  return answers.get(notice ?? context.req.query('answer') ?? '') ?? {};
}

/** The page whose address is that of a form without its last part. */
export function findPageAbove(context: Context): string {
  const path = readPath(context);
  return path.slice(0, path.lastIndexOf('/'));
}

/** As it was asked for: Hono's own path is decoded in part, and could not be asked for again. */
function readPath({ req }: Context): string {
  return new URL(req.url).pathname;
}
