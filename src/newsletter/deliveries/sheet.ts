import { explainCodes } from '#shared/explain-codes.ts';
import type { DeliveryDetails } from './queue/new-delivery.ts';
import type { Delivery } from '../database/schema.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import type { OpenSender } from './worker.ts';

export type SheetKind = 'sheet-row' | 'sheet-unsubscribe' | 'sheet-erasure';

/**
 * The message to the spreadsheet's script: a sign-up (specification, section 7) with an id and a time, or an erasure.
 */
type SheetMessage =
  | (DeliveryDetails['sheet-row'] & { id: string; time: string; name: '' })
  | { id: string; time: string; unsubscribe: string[] }
  | { id: string; time: string; erase: string[] };

/** Sends messages to the sheet's script, each composed according to its kind. */
export function createSheetSender(sheetUrl: string): OpenSender {
  return () => ({
    close: () => undefined,
    send: ({ delivery }) => sendToSheet(sheetUrl, composeSheetMessage(delivery)),
  });
}

function composeSheetMessage({ id, kind, queued_at: time, details }: Delivery): SheetMessage {
  if (kind === 'sheet-row') return { id, time, name: '', ...(JSON.parse(details) as DeliveryDetails['sheet-row']) };
  const { rows } = JSON.parse(details) as DeliveryDetails['sheet-erasure'];
  return kind === 'sheet-erasure' ? { id, time, erase: rows } : { id, time, unsubscribe: rows };
}

/**
 * Sends one message to the sheet's script. Apps Script responds to a POST with a redirect to the actual response, which
 * is fetched with GET. A failing script responds with 200 and a page, so only `{"ok":true}` counts as success.
 * @throws {DeliveryFailure} always a temporary one, since a script can be fixed
 */
export async function sendToSheet(
  sheetUrl: string,
  message: SheetMessage,
  timeoutMs = SHEET_TIMEOUT_MS,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let response = await fetch(sheetUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      redirect: 'manual',
      signal,
    });
    for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
      const location = response.headers.get('location');
      if (![301, 302, 303, 307, 308].includes(response.status) || location === null) break;
      await response.body?.cancel();
      response = await fetch(findTarget(location, response.url, sheetUrl), { redirect: 'manual', signal });
    }
    const text = await readAtMost(response, MAX_CHARACTERS);
    if ([401, 403].includes(response.status) || isLoginPage(text)) throw new DeliveryFailure(LOGIN);
    if (response.status === 404) throw new DeliveryFailure(NO_SCRIPT);
    if (/\bauthori[sz]ation is required/i.test(text)) throw new DeliveryFailure(NO_PERMISSION);
    if (/\bfunction not found: doPost/i.test(text)) throw new DeliveryFailure(NO_FUNCTION);
    if (!response.ok) throw new DeliveryFailure(`the sheet’s script failed (status ${response.status})`);
    const answer = parseAnswer(text);
    if (answer?.ok === true) return;
    throw new DeliveryFailure(
      answer
        ? `the sheet’s script refused the message (${answer.error ?? 'without a reason'})`
        : 'the sheet’s script did not answer with JSON: look under Executions in its project, and check steps 4 and 5 of integrations/google-sheets/README.md',
    );
  } catch (error) {
    if (error instanceof DeliveryFailure) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const reason = name === 'TimeoutError' ? 'no response in time' : explainCodes(cause?.code ?? name);
    throw new DeliveryFailure(`the sheet’s script cannot be reached (${reason})`);
  }
}

/** For one message, in milliseconds. */
const SHEET_TIMEOUT_MS = 60_000;

const MAX_REDIRECTS = 5;

/**
 * Finds the target of a script's redirect: the script's own host, or the one that Google sends responses from.
 * @throws {DeliveryFailure} if it leads anywhere else
 */
function findTarget(location: string, from: string, sheetUrl: string): URL {
  const target = URL.parse(location, from);
  const own = new URL(sheetUrl);
  const isKnown = target?.protocol === 'https:' && [own.host, 'script.googleusercontent.com'].includes(target.host);
  if (target?.host === LOGIN_HOST) throw new DeliveryFailure(LOGIN);
  if (target !== null && (isKnown || target.origin === own.origin)) return target;
  throw new DeliveryFailure('the sheet’s script redirected to another site');
}

const LOGIN_HOST = 'accounts.google.com';

/** Uses the labels of the page on which the script is deployed. */
const LOGIN =
  'the sheet asks for a login: set “Who has access” to “Anyone” (step 4 of integrations/google-sheets/README.md) and deploy a new version';

const NO_SCRIPT =
  'there is no script at this address: copy the Web app URL again (step 5 of integrations/google-sheets/README.md)';

const NO_FUNCTION =
  'the script is missing there: paste and save it (step 2 of integrations/google-sheets/README.md), then deploy a new version';

const NO_PERMISSION =
  'the sheet’s script lacks a permission: deploy a new version of it and grant what it asks for (step 5 of integrations/google-sheets/README.md)';

function isLoginPage(text: string): boolean {
  return /^\s*</.test(text) && (text.includes(LOGIN_HOST) || /type="?password|ServiceLogin/i.test(text));
}

/** Google's login page mentions its host early on. */
const MAX_CHARACTERS = 50_000;

async function readAtMost(response: Response, characters: number): Promise<string> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > characters) break;
  }
  return text;
}

function parseAnswer(text: string): { ok?: unknown; error?: string } | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}
