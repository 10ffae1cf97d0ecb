import { listUnsent } from '#mail/queue/unsent.ts';
import { findNeeds, type Need as SummaryNeed } from '#mail/summary/describe-summary.ts';
import type { Summary } from '#mail/summary/read-summary.ts';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import type { Desk } from './desk-types.ts';
import { ButtonLink, type Need } from './parts.tsx';
import type { SiteAnswer } from './site-answer.ts';
import { people } from './words.ts';

/** Everything that waits for the owner, each with its cause and one button. */
export async function readNeeds({ store }: Desk, summary: Summary, site: SiteAnswer): Promise<Need[]> {
  const paused = (await listUpdates(store.db)).filter(({ state }) => state === 'paused');
  const hasFailed = (await listUnsent(store.db)).some(({ state }) => state === 'failed');
  const progresses = await Promise.all(paused.map((update) => readProgress(store.db, update)));
  return [
    ...progresses.map(describePaused),
    ...(site.problem === undefined ? [] : [describeSilence(site)]),
    ...findNeeds(summary)
      // Those who refused an update are on its own page.
      .filter(({ need }) => need !== 'failed' || hasFailed)
      .map(({ need, title, cause }) => ({ title, cause, act: link(...BUTTONS[need]) })),
  ];
}

/** Where the owner sees to a need, and the words of its button. */
const BUTTONS: Record<SummaryNeed['need'], [href: string, words: string]> = {
  'mail-server': ['/deliveries', 'See what waits'],
  failed: ['/deliveries', 'See each one'],
  retention: ['/people/leaving', 'See how many'],
  disk: ['/backup', 'See backups'],
  backup: ['/backup', 'Make a backup'],
  certificate: ['/launch', 'Check the site'],
  clock: ['/', 'Look again'],
};

function describePaused({ id, subject, state_reason, waiting }: UpdateProgress): Need {
  return {
    title: 'Your update is paused',
    cause: `“${subject}” stopped: ${state_reason ?? 'no reason was noted'}. ${people(waiting)} still ${waiting === 1 ? 'waits' : 'wait'} for it.`,
    act: link(`/updates/sent/${id}`, 'See why'),
  };
}

function describeSilence({ url, problem }: SiteAnswer): Need {
  return {
    title: 'Your site does not answer',
    cause: `${problem} at ${url}. Start it as you did when it went live; its log says what is wrong.`,
    act: link(url, 'Try it yourself'),
  };
}

function link(href: string, words: string) {
  return (
    <ButtonLink kind="filled" href={href}>
      {words}
    </ButtonLink>
  );
}
