import { randomUUID } from 'node:crypto';
import type { Context, Handler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { z } from 'zod';
import { explainError, isForOwner } from '#shared/explain-codes.ts';
import type { Desk, FormResult, Undo } from './desk-types.ts';
import { type ExplainingDesk, explainToOwner } from './explain-to-owner.ts';
import { readForm } from './read-form.ts';

/** A form's values by field name, including those of the pressed button. */
export type Fields = Record<string, string>;

/**
 * Handles a submitted form.
 * @returns the next page (by default the form's own) and the notice to show there; undefined if there is no such person
 * or update
 * @throws an error for the owner
 */
export type Action = (fields: Fields, context: Context) => Promise<NextPage | undefined> | NextPage | undefined;
type NextPage = { to?: string; notice?: string; undo?: Undo };

/** An error that the page shows at one of the form's fields, which keep what was typed. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.field = field;
  }
}

/**
 * Creates the action of a form from its schema.
 * @param schema each property is a field of the form; its message is shown at the field
 * @param perform called with the parsed fields
 * @param errorField the field at which errors of `perform` are shown; by default the top of the page
 */
export function createAction<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  perform: (fields: z.output<z.ZodObject<Shape>>, context: Context) => ReturnType<Action>,
  errorField?: string,
): Action {
  return async (fields, context) => {
    const parsed = schema.safeParse(fields);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new FieldError(String(issue!.path[0]), issue!.message);
    }
    try {
      return await perform(parsed.data, context);
    } catch (error) {
      if (errorField === undefined || error instanceof FieldError || !isForOwner(error)) throw error;
      throw new FieldError(errorField, explainError(error), { cause: error });
    }
  };
}

/** The parts of the desk that forms need. */
export type FormDesk = Pick<Desk, 'results'> & ExplainingDesk;

/**
 * Handles a form that posts to its own page: performs its action, then redirects (back to the form if there was an
 * error). The response to a POST is never a page, so Back and reload work.
 */
export function handleAction(desk: FormDesk, action: Action): Handler {
  const { results } = desk;
  return async (context) => {
    const fields = await readFields(context);
    // The path as it was requested: Hono decodes it partly, so a redirect to that might miss this page.
    const { pathname } = new URL(context.req.url);
    try {
      const next = await action(fields, context);
      if (next === undefined) return await context.notFound();
      if (next.notice !== undefined) {
        setCookie(context, NOTICE, keepResult(results, next), { httpOnly: true, sameSite: 'Strict', path: '/desk' });
      }
      const { undo, to = pathname } = next;
      return context.redirect(undo === undefined ? to : addResult(to, keepResult(results, { undo })), 303);
    } catch (error) {
      const field = error instanceof FieldError ? error.field : undefined;
      const message = explainToOwner(error, desk);
      const key = keepResult(results, {
        error: { field, message, fields: field === undefined ? {} : withoutPassword(fields) },
      });
      return context.redirect(`${pathname}?result=${key}`, 303);
    }
  };
}

/** Handles the forms of a page that has several. @param actions by the `action` that the pressed button sends */
export function handleActions(desk: FormDesk, actions: Record<string, Action>): Handler {
  const byName = new Map(Object.entries(actions));
  return handleAction(desk, (fields, context) => byName.get(fields.action ?? '')?.(fields, context));
}

const NOTICE = 'desk-notice';

/** Returns the result of the previous form: a notice only once, an error for as long as its URL is open. */
export function takeResult({ results }: Pick<Desk, 'results'>, context: Context): FormResult {
  // It is in a cookie rather than in the URL, so that a reload doesn't repeat the notice.
  const notice = getCookie(context, NOTICE);
  if (notice !== undefined) deleteCookie(context, NOTICE, { path: '/desk' });
  return results.get(notice ?? context.req.query('result') ?? '') ?? {};
}

function withoutPassword(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'password'));
}

/** Reads the text fields of a form. A button sends several values as the query of its `formaction`. */
export async function readFields({ req }: Context): Promise<Fields> {
  const body = Object.entries(await readForm(req));
  const strings = body.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { ...Object.fromEntries(strings), ...req.query() };
}

/** @param path perhaps with a query and a fragment */
function addResult(path: string, key: string): string {
  const url = new URL(path, 'http://desk');
  url.searchParams.set('result', key);
  return url.pathname + url.search + url.hash;
}

/** @returns the key of the result */
function keepResult(results: Desk['results'], result: FormResult): string {
  const key = randomUUID();
  results.set(key, result);
  const [oldest] = results.keys();
  if (results.size > MAX_RESULTS) results.delete(oldest!);
  return key;
}

const MAX_RESULTS = 200;
