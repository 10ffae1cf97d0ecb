import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Desk } from './desk-types.ts';

/** The texts of a form, by the names of their fields. */
export type Typed = Record<string, string | undefined>;

/** Where a form leads, and the sentence that the page there says. */
export type NextPage = { to: string; notice?: string };

/**
 * Answers a form: calls a verb, then goes on to a page. A mistake shows the form's page again, with all that was typed.
 * @param options.show the form's page
 * @param options.act calls the verb; undefined where there is no such person or update. @throws in words
 * @param options.field the field that says what the verb threw; left out for the top of the page
 */
export function answerForm(
  desk: Desk,
  { show, act, field }: { show: Show; act: Act; field?: string | undefined },
): (context: Context) => Promise<Response> {
  return async (context) => {
    const form = Object.entries(await context.req.parseBody());
    const typed = Object.fromEntries(form.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    try {
      const next = await act(typed, context);
      if (next === undefined) return await context.notFound();
      const { to, notice } = next;
      if (notice === undefined) return context.redirect(to, 303);
      const key = randomUUID();
      desk.notices.set(key, notice);
      return context.redirect(`${to}?notice=${key}`, 303);
    } catch (error) {
      context.status(400);
      context.set('mistake', { field, message: (error as Error).message, typed });
      return show(context);
    }
  };
}

type Show = (context: Context) => Response | Promise<Response>;
type Act = (typed: Typed, context: Context) => Promise<NextPage | undefined>;
