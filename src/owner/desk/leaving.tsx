import type { Hono } from 'hono';
import { planPurge, purge, type PurgePlan } from '#list/purge.ts';
import { toOutboxPath } from '#store/outbox.ts';
import { FILES_REMAIN } from '../subscribers/people.ts';
import { capitalise, people, removeSeparators } from '../command/words.ts';
import { answerForm, type Typed } from './answer-form.ts';
import type { Desk } from './desk-types.ts';
import { Button, Field, Form } from './parts.tsx';

/** Erases people at the end of their time on the list, when the clock or their number is unusual. */
export function addLeaving(app: Hono, desk: Desk): void {
  app.get('/people/leaving', async (context) => {
    const { leaving, doubt } = await planPurge(desk.store, Date.now());
    const due = leaving === 1 ? '1 person is' : `${people(leaving)} are`;
    return context.render((leaving > 0 || doubt !== undefined) && <EraseForm leaving={leaving} doubt={doubt} />, {
      title: `${leaving === 0 ? 'Nobody is' : due} due to be erased`,
      lead: 'Your privacy policy keeps people for two years after they last did something, and sign-ups that nobody confirms for 30 days.',
    });
  });
  const eraseConfirmed = async ({ confirmed: typed = '' }: Typed) => {
    const outbox = toOutboxPath(desk.env);
    const confirmed = removeSeparators(typed);
    const { erased, filesRemain } = await purge(desk.store, { outbox, now: Date.now(), confirmed });
    return { to: '/people', notice: `${people(erased)} erased.${filesRemain ? `\n${FILES_REMAIN}` : ''}` };
  };
  app.post('/people/leaving', answerForm(desk, eraseConfirmed));
}

function EraseForm({ leaving, doubt }: Pick<PurgePlan, 'leaving' | 'doubt'>) {
  return (
    <Form field="confirmed">
      <p>
        {doubt === undefined
          ? 'The server erases them by itself, every day.'
          : `${capitalise(doubt)}. If the clock is right${leaving > 0 ? ' and they should go' : ''}:`}
      </p>
      <Field
        id="confirmed"
        label={`Type ${leaving} to ${leaving > 0 ? `erase ${people(leaving)}` : 'let the daily erasing go on'}`}
        inputMode="numeric"
      />
      {leaving > 0 ? <Button kind="danger">Erase for good</Button> : <Button kind="filled">Go on</Button>}
    </Form>
  );
}
