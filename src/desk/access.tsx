import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context, Hono } from 'hono';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { toReadableEmail } from '#content/text/readable-email.ts';
import type { DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { saveOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { explainError } from '#shared/explain-codes.ts';
import { nameBrowser } from '#sign-in/browser-name.ts';
import { addPerson, isUnclaimed, listPeople, removePerson } from '#sign-in/desk-people.ts';
import { endAllSessions, endSession, listSessions } from '#sign-in/desk-sessions.ts';
import { addPasskey, askForNewPasskey, listPasskeys, removePasskey, renamePasskey } from '#sign-in/passkeys.ts';
import { renderNewWayIn, sendDeskMail } from '#sign-in/sign-in-mail.tsx';
import { type Action, createAction, type FormDesk } from './handle-forms.ts';
import { deleteSessionCookie, type SignInDesk } from './sign-in.tsx';
import { Browsers, Passkeys, People } from './settings-sign-in.tsx';

/** The parts of the desk that the sign-in settings need. */
export type AccessDesk = SignInDesk & FormDesk;

/** Renders the people who may sign in, their passkeys and their signed-in browsers, for the Settings page. */
export async function renderAccess(desk: AccessDesk, session: DeskSession): Promise<ReactNode> {
  const [people, passkeys, sessions] = await Promise.all([
    listPeople(desk),
    listPasskeys(desk),
    listSessions(desk, Date.now()),
  ]);
  return (
    <>
      <People people={people} session={session} />
      <Passkeys passkeys={passkeys} session={session} origin={desk.origin} />
      <Browsers sessions={sessions} session={session} />
    </>
  );
}

/** Creates the actions of these forms, by name. */
export function createAccessActions(desk: AccessDesk): Record<string, Action> {
  return {
    'add-person': createAction(z.object({ person: z.string() }), letIn(desk), 'person'),
    'remove-person': createAction(z.object({ email: z.string() }), async ({ email }) => {
      await removePerson(desk, email);
      return { notice: `${toReadableEmail(email)} can no longer sign in, and has been signed out everywhere.` };
    }),
    'remove-passkey': createAction(z.object({ id: z.string() }), async ({ id }) => {
      await removePasskey(desk, id);
      return { notice: 'The passkey no longer opens your desk. Delete it from its device too.' };
    }),
    'rename-passkey': createAction(PASSKEY_FORM, async ({ id, name }) => {
      await renamePasskey(desk, id, name);
      return { notice: `The passkey is now called ${name}.` };
    }),
    'sign-out': createAction(z.object({ id: z.string() }), async ({ id }, context) => {
      await endSession(desk, id);
      return id === context.get('session')!.id ? leave(context, desk) : { notice: 'That browser has been signed out.' };
    }),
    'sign-out-everywhere': async (_, context) => {
      await endAllSessions(desk);
      return leave(context, desk);
    },
  };
}

const PASSKEY_FORM = z.object({
  id: z.string(),
  name: z
    .string()
    .trim()
    .min(1, 'Type a name, such as My phone.')
    .max(100, 'Type a shorter name, of at most 100 characters.'),
});

/** A session with an address, to which a new passkey belongs. */
type NamedSession = DeskSession & { email: string };

/** Adds the routes with which the page's script adds a passkey. */
export function addNewPasskeys(app: Hono, desk: AccessDesk): void {
  const site = () => ({ origin: desk.origin, name: `${desk.content.agency.name} desk` });
  app.use('/desk/settings/passkey/*', async (context, next) =>
    context.get('session')!.email === null ? context.text('Enter your address first.', 409) : next(),
  );
  app.post('/desk/settings/passkey/challenge', async (context) => {
    const session = context.get('session') as NamedSession;
    return context.json(await askForNewPasskey(desk, session, site(), Date.now()));
  });
  app.post('/desk/settings/passkey', async (context) => {
    const session = context.get('session') as NamedSession;
    const name = nameBrowser(context.req.header('User-Agent') ?? '');
    const response = await context.req.json<RegistrationResponseJSON>();
    const added = await addPasskey(desk, session, response, { site: site(), name, now: Date.now() }).catch(() => false);
    if (!added) return context.text('This device’s passkey can’t be used. Try again, or sign in by email.', 400);
    tellEverybody(desk, { passkey: name, of: toReadableEmail(session.email) });
    return context.text('');
  });
}

function letIn(desk: AccessDesk) {
  return async ({ person }: { person: string }, context: Context) => {
    const session = context.get('session')!;
    const isFirst = await isUnclaimed(desk);
    const { email, isNew } = await addPerson(desk, person, session);
    const shown = toReadableEmail(email);
    // Otherwise an owner who sets up nothing else would get neither alerts nor the weekly email.
    if (isFirst && desk.env.NOTIFY_TO === undefined) {
      await saveOwnerValues(desk.store, desk.secret, { NOTIFY_TO: email }, Date.now());
    }
    if (isNew) tellEverybody(desk, { address: shown });
    if (session.email === null) {
      return {
        notice: `From now on, sign in with ${shown}. Add this device, and you won’t need an email next time.`,
      };
    }
    if (!isNew) return { notice: `${shown} can already sign in.` };
    const told = desk.env.SMTP_URL === undefined ? '' : ' Everybody who can sign in will be told by email.';
    return { notice: `${shown} can now sign in.${told}` };
  };
}

function leave(context: Context, desk: AccessDesk): { to: string } {
  deleteSessionCookie(context, desk);
  return { to: '/desk/sign-in' };
}

/** Emails everybody who may sign in, after the response. */
function tellEverybody(desk: AccessDesk, change: Parameters<typeof renderNewWayIn>[0]): void {
  const logFailure = (error: unknown) =>
    desk.log(`Sign-in: an email about a new way to sign in was not sent (${explainError(error)}).`);
  const send = async () => {
    const mail = renderNewWayIn(change, `${desk.origin}/desk/settings`, desk.content);
    // If one mailbox rejects it, the others still get it.
    for (const email of await listPeople(desk)) await sendDeskMail(desk, email, mail).catch(logFailure);
  };
  setImmediate(() => void send().catch(logFailure));
}
