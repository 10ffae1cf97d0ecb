import { readNewestNumber, readVersion } from '#publishing/content-versions.ts';
import type { Desk } from './desk-types.ts';
import { type Item, Items, Panel } from './ui.tsx';

type Step = { title: string; href: string; details: string; isDone: boolean };

type FirstStepsDesk = Pick<Desk, 'store' | 'env'>;

/** @returns the owner's first steps, in order; none once all are done */
export async function findFirstSteps({ store: { db }, env }: FirstStepsDesk): Promise<Step[]> {
  const person = await db.selectFrom('desk_people').select('email').limit(1).executeTakeFirst();
  const newest = await readVersion(db, await readNewestNumber(db));
  const steps = [
    {
      title: 'Your address',
      href: '/desk/settings',
      details: 'You use it to sign in from any browser. Add it under “Who may sign in”.',
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
      details: 'The agency on the site is made up. Replace its text, facts and pictures with yours.',
      // The first version is the content that the site came with.
      isDone: Object.keys(newest?.overlay ?? {}).length > 0,
    },
  ];
  // A host that only receives sign-ups has no pages.
  const own = env.RECEIVER_OF === undefined ? steps : steps.slice(0, -1);
  if (own.every(({ isDone }) => isDone)) return [];
  return env.RECEIVER_OF === undefined ? [...own, LAUNCH] : own;
}

const LAUNCH = {
  title: 'Before you launch',
  href: '/desk/website/launch',
  details: 'The check finds what is left of the example and says what to do.',
  isDone: false,
};

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
