import type { ReactNode } from 'react';
import { readMetadata, writeMetadata } from '#newsletter/database/metadata.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Desk } from './desk-types.ts';
import { type Item, Items, Panel } from './ui.tsx';

type Step = { title: string; href: string; details: string; isDone: boolean };

type FirstStepsDesk = Pick<Desk, 'store' | 'env'>;

/** @returns the owner's first steps, in order; none once all are done */
export async function findFirstSteps({ store: { db }, env }: FirstStepsDesk): Promise<Step[]> {
  const person = await db.selectFrom('desk_people').select('email').limit(1).executeTakeFirst();
  const counts = await readLaunchCounts(db);
  const steps = [
    {
      title: 'Your address',
      href: '/desk/settings#person',
      details: 'You’ll use it to sign in from any browser. Add it under “Who may sign in”.',
      isDone: person !== undefined,
    },
    {
      title: 'Your mail account',
      href: '/desk/settings/mail-account',
      details: 'Without it, no email reaches anybody. It is tested before it is saved.',
      isDone: env.SMTP_URL !== undefined,
    },
    {
      title: 'Your text and pictures',
      href: '/desk/website',
      details: 'Replace the example’s text, facts and pictures with yours. “Before you launch” finds what is left.',
      isDone: counts?.text === 0,
    },
    {
      title: 'Before you launch',
      href: '/desk/website/launch',
      details: counts?.all
        ? describeLaunch(counts.all)
        : 'The check finds what is left of the example and says what to do.',
      isDone: counts?.all === 0,
    },
  ];
  // A host that only receives sign-ups has no pages.
  const own = env.RECEIVER_OF === undefined ? steps : steps.slice(0, 2);
  return own.every(({ isDone }) => isDone) ? [] : own;
}

function describeLaunch(count: number): string {
  return count === 1 ? 'The last check found one thing to do.' : `The last check found ${count} things to do.`;
}

/** How many things the last launch check found: in the owner's text and pictures, and in all. */
type LaunchCounts = { text: number; all: number };

const LAUNCH_COUNTS = 'launch-check';

async function readLaunchCounts(db: Store['db']): Promise<LaunchCounts | undefined> {
  const noted = await readMetadata(db, LAUNCH_COUNTS);
  return noted === undefined ? undefined : (JSON.parse(noted) as LaunchCounts);
}

/** Stores what a launch check found: until it finds nothing, the first steps aren't done. */
export async function noteLaunchCheck(store: Store, counts: LaunchCounts): Promise<void> {
  await store.transaction((tx) => writeMetadata(tx, LAUNCH_COUNTS, JSON.stringify(counts)));
}

type FirstStepsProps = { steps: Step[] };

export function FirstSteps({ steps }: FirstStepsProps) {
  if (steps.length === 0) return null;
  const next = steps.findIndex(({ isDone }) => !isDone);
  const items = steps.map(({ title, href, details, isDone }, index): Item => ({
    dot: isDone ? 'done' : index === next ? 'waiting' : 'left',
    title: isDone ? title : <a href={href}>{title}</a>,
    details: [isDone ? 'Done' : details],
  }));
  return (
    <Panel title="First steps">
      <Items items={items} />
    </Panel>
  );
}

/** A line that links to the next step; nothing once all are done. */
export function describeNextStep(steps: Step[]): ReactNode {
  const next = steps.find(({ isDone }) => !isDone);
  return (
    next && (
      <>
        Next step: <a href={next.href}>{next.title}</a>
      </>
    )
  );
}
