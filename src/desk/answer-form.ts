import { randomUUID } from 'node:crypto';
import type { Context, Handler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { explainQueryFailure } from '#newsletter/database/explain-store-failure.ts';
import { explainError } from '#shared/explain-codes.ts';
import type { Answer, Desk, Mistake } from './desk-types.ts';
import { nameCookie, OWN_COOKIE } from './security.ts';

/** The texts of a form, by the names of their fields. */
export type Typed = Mistake['typed'];

/**
 * Calls the verb of a form.
 * @returns where the form leads, by default to its own page, and the sentence to show there; undefined if there is no
 * such person or update
 * @throws an error for the owner
 */
export type Act = (typed: Typed, context: Context) => Promise<NextPage | undefined> | NextPage | undefined;
type NextPage = { to?: string; notice?: string };

/**
 * Answers a form, which is sent to its own page: calls its verb, then goes on to a page. After a mistake that is the
 * form's page again; it never answers the form itself, so Back and reloading work.
 */
export function answerForm({ answers, env }: Desk, act: Act): Handler {
  const keep = (answer: Answer) => {
    const key = randomUUID();
    answers.set(key, answer);
    return key;
  };
  return async (context) => {
    const form = Object.entries(await context.req.parseBody());
    const typed = Object.fromEntries(form.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    // The path as it was requested: Hono's own is partly decoded, and would not lead back here.
    const { pathname } = new URL(context.req.url);
    try {
      const next = await act(typed, context);
      if (next === undefined) return await context.notFound();
      if (next.notice !== undefined) setCookie(context, nameCookie('notice', context), keep(next), OWN_COOKIE);
      return context.redirect(next.to ?? pathname, 303);
    } catch (error) {
      const message = explainError(explainQueryFailure(error, env));
      const { field } = typed;
      const key = keep({ mistake: { field, message, typed: field === undefined ? {} : typed } });
      return context.redirect(`${pathname}?answer=${key}`, 303);
    }
  };
}

/** Answers the forms of a page that has several. @param acts by the `act` that the pressed button sends */
export function answerForms(desk: Desk, acts: Record<string, Act>): Handler {
  const byName = new Map(Object.entries(acts));
  return answerForm(desk, (typed, context) => byName.get(typed.act ?? '')?.(typed, context));
}

/** Reads the answer to the form sent before this page: a notice once, a mistake for as long as its URL is open. */
export function takeAnswer({ answers }: Desk, context: Context): Answer {
  // A cookie, not part of the URL: a reload does not repeat the notice.
  const cookie = nameCookie('notice', context);
  const notice = getCookie(context, cookie);
  if (notice !== undefined) deleteCookie(context, cookie);
  return answers.get(notice ?? context.req.query('answer') ?? '') ?? {};
}
