import type { Hono } from 'hono';
import { SUBSCRIBER_STATES } from '#list/read-subscribers.ts';
import { writePeople } from '../subscribers/export-list.ts';
import type { Desk } from './desk-types.ts';
import { Button, Choices, Field } from './parts.tsx';
import { STATES } from './people.tsx';

/** People with what they agreed to, in a file. */
export function addExport(app: Hono, desk: Desk): void {
  app.get('/people/export', async (context) => {
    const { state, format } = context.req.query();
    if (format === 'csv' || format === 'json') {
      const chosen = SUBSCRIBER_STATES.find((each) => each === state) ?? 'all';
      const parts: string[] = [];
      await writePeople(desk.store, { format, state: chosen }, (text) => void parts.push(text));
      context.header('Content-Type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json');
      context.header('Content-Disposition', `attachment; filename="people-${chosen}.${format}"`);
      return context.body(parts.join(''));
    }
    return context.render(
      <form className="narrow">
        <Field as="select" id="state" label="Who">
          <Choices choices={WHO} />
        </Field>
        <Field as="select" id="format" label="As" hint="A spreadsheet opens CSV safely; JSON has every consent.">
          <Choices choices={{ csv: 'CSV', json: 'JSON' }} />
        </Field>
        <Button kind="filled">Export</Button>
      </form>,
      {
        title: 'Export people',
        section: '/people',
        eyebrow: <a href="/people">People</a>,
        lead: 'One line for each person, with what they agreed to, when and where. It holds addresses: delete it when you no longer need it.',
      },
    );
  });
}

const WHO = {
  all: 'Everybody',
  ...Object.fromEntries(SUBSCRIBER_STATES.map((state) => [state, STATES[state].label])),
};
