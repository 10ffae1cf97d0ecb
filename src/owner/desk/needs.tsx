import type { ReactNode } from 'react';
import { listUnsent } from '#mail/queue/unsent.ts';
import { findNeeds } from '#mail/summary/describe-summary.ts';
import type { Summary } from '#mail/summary/read-summary.ts';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import type { Desk, SiteAnswer } from './desk-types.ts';
import type { Need } from './frame.tsx';
import { capitalise, formatDate, people } from './words.ts';

/** Everything that waits for the owner, each with its cause and one button. */
export async function readNeeds({ store }: Desk, summary: Summary, site: SiteAnswer): Promise<Need[]> {
  const paused = (await listUpdates(store.db)).filter(({ state }) => state === 'paused');
  const failed = (await listUnsent(store.db)).filter(({ state }) => state === 'failed').length;
  const progresses = await Promise.all(paused.map((update) => readProgress(store.db, update)));
  return [
    ...progresses.map(describePaused),
    ...(site.problem === undefined ? [] : [describeSilence(site)]),
    ...findNeeds(summary)
      // Those who refused an update are on its own page.
      .filter(({ need }) => need !== 'failed' || failed > 0)
      .map(({ need, sentence }) => NEEDS[need](summary, sentence, failed)),
  ];
}

function describePaused({ id, subject, state_reason, waiting }: UpdateProgress): Need {
  return {
    title: 'Your update is paused',
    cause: `“${subject}” stopped: ${state_reason ?? 'nobody knows why'}. ${people(waiting)} still ${waiting === 1 ? 'waits' : 'wait'} for it.`,
    act: <ButtonLink href={`/updates/sent/${id}`}>See why</ButtonLink>,
  };
}

function describeSilence({ url, problem }: SiteAnswer): Need {
  return {
    title: 'Your site does not answer',
    cause: `${problem} at ${url}. Start it as you did when it went live; its log says what is wrong.`,
    act: <ButtonLink href={url}>Try it yourself</ButtonLink>,
  };
}

type NeedName = ReturnType<typeof findNeeds>[number]['need'];

const NEEDS: Record<NeedName, (summary: Summary, sentence: string, failed: number) => Need> = {
  'mail-server': (_, sentence) => ({
    title: 'Your mail server lets nobody in',
    cause: sentence,
    act: <ButtonLink href="/deliveries">See what waits</ButtonLink>,
  }),
  failed: (_, _sentence, failed) => ({
    title: failed === 1 ? 'A mail could not be delivered' : `${failed} mails could not be delivered`,
    cause: 'They were given up after several tries. Each says why, and can be tried again.',
    act: <ButtonLink href="/deliveries">See each one</ButtonLink>,
  }),
  retention: ({ retention }) => ({
    title: 'Nobody is being erased',
    cause: `Your privacy policy lets you keep nobody longer than two years. ${capitalise(retention.doubt ?? '')}, which is unusual: is the clock right?`,
    act: <ButtonLink href="/people/leaving">See who would go</ButtonLink>,
  }),
  backup: ({ machine, people: counts }) => ({
    title: machine.lastBackupAt === undefined ? 'No backup yet' : `No backup since ${formatDate(machine.lastBackupAt)}`,
    cause: `If this machine breaks today, you lose ${machine.lastBackupAt === undefined ? people(Object.values(counts).reduce((sum, count) => sum + count, 0)) : 'what came since'}. Making one takes a few seconds.`,
    act: <ButtonLink href="/backup">Make a backup</ButtonLink>,
  }),
  disk: (_, sentence) => ({
    title: 'The disk is nearly full',
    cause: sentence,
    act: <ButtonLink href="/backup">See backups</ButtonLink>,
  }),
  certificate: (_, sentence) => ({
    title: 'Your certificate',
    cause: sentence,
    act: <ButtonLink href="/launch">Check the site</ButtonLink>,
  }),
  clock: (_, sentence) => ({
    title: 'Two clocks differ',
    cause: sentence,
    act: <ButtonLink href="/">Look again</ButtonLink>,
  }),
};

function ButtonLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="button filled" href={href}>
      {children}
    </a>
  );
}
