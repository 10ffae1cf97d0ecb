import { listUnsent } from '#mail/queue/unsent.ts';
import { findNeeds } from '#mail/summary/describe-summary.ts';
import type { Summary } from '#mail/summary/read-summary.ts';
import { listUpdates, readProgress, type UpdateProgress } from '#mail/updates/update-states.ts';
import type { Desk } from './desk-types.ts';
import { ButtonLink, type Need } from './parts.tsx';
import type { SiteAnswer } from './site-answer.ts';
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
      .map(({ need, sentence }) => describeNeed(need, { sentence, failed, summary })),
  ];
}

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

type NeedName = ReturnType<typeof findNeeds>[number]['need'];
type Facts = { summary: Summary; sentence: string; failed: number };

/** @param facts.sentence of the summary @param facts.failed how many mails were given up */
function describeNeed(need: NeedName, { summary, sentence, failed }: Facts): Need {
  const { machine, retention } = summary;
  const since = machine.lastBackupAt && formatDate(machine.lastBackupAt);
  const everybody = Object.values(summary.people).reduce((sum, count) => sum + count, 0);
  switch (need) {
    case 'mail-server':
      return { title: 'Your mail server lets nobody in', cause: sentence, act: link('/deliveries', 'See what waits') };
    case 'failed':
      return {
        title: failed === 1 ? 'An email could not be delivered' : `${failed} emails could not be delivered`,
        cause: 'They were given up after several tries. Each says why, and can be tried again.',
        act: link('/deliveries', 'See each one'),
      };
    case 'retention':
      return {
        title: 'Nobody is being erased',
        cause: `Your privacy policy lets you keep nobody longer than two years. ${capitalise(retention.doubt ?? '')}, which is unusual: is the clock right?`,
        act: link('/people/leaving', 'See how many'),
      };
    case 'backup':
      return {
        title: since === undefined ? 'No backup yet' : `No backup since ${since}`,
        cause: `If this machine breaks today, you lose ${since === undefined ? people(everybody) : 'what came since'}. Making one takes a few seconds.`,
        act: link('/backup', 'Make a backup'),
      };
    case 'disk':
      return { title: 'The disk is nearly full', cause: sentence, act: link('/backup', 'See backups') };
    case 'certificate':
      return { title: 'Your certificate', cause: sentence, act: link('/launch', 'Check the site') };
    case 'clock':
      return { title: 'Two clocks differ', cause: sentence, act: link('/', 'Look again') };
  }
}
