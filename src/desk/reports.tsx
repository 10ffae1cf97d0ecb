import type { Hono } from 'hono';
import { decideUnmatched, listUnmatched } from '#newsletter/bounces/unmatched-reports.ts';
import { formatShortMoment } from '#newsletter/format.ts';
import { type FormDesk, handleActions } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { ActionButton, Panel } from './ui.tsx';

/** Lists bounce reports that name somebody on the list but don't quote our headers, for the owner to decide on. */
export function addReports(app: Hono, desk: FormDesk & Pick<Desk, 'store'>): void {
  app.get('/desk/reports', async (context) => {
    const reports = await listUnmatched(desk.store.db);
    return context.render(
      reports.map(({ id, subscriber_id: person, email, reason, at }) => (
        <Panel key={id} title={email} note={formatShortMoment(at)}>
          <p>{reason}</p>
          <p>
            <a href={`/desk/people/${person}`}>See what they received</a>
          </p>
          <ActionButton kind="filled" action="mark" values={{ id }}>
            Stop emailing them
          </ActionButton>
          <ActionButton action="ignore" values={{ id }}>
            Ignore this report
          </ActionButton>
        </Panel>
      )),
      {
        title: reports.length === 0 ? 'No report needs a decision' : 'Reports that could not be matched',
        lead: reports.length === 0 ? undefined : LEAD,
      },
    );
  });
  const decide = (choice: 'mark' | 'ignore', done: string) => async (fields: Record<string, string>) => {
    const email = await decideUnmatched(desk.store, fields.id ?? '', choice, Date.now());
    return email === undefined ? undefined : { notice: `${email} ${done}.` };
  };
  app.post(
    '/desk/reports',
    handleActions(desk, {
      mark: decide('mark', 'won’t get any more emails unless you resubscribe them or they sign up again'),
      ignore: decide('ignore', 'stays on the list'),
    }),
  );
}

const LEAD =
  'They don’t say which email they are about, so anybody could have sent them. If you know the address is dead, stop emailing it.';
