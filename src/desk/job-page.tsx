import type { Hono } from 'hono';
import { formatClock, formatCount } from '#newsletter/format.ts';
import type { Desk } from './desk-types.ts';
import { isRunning, type Job } from './jobs.ts';
import { ButtonLink, Notice, Panel } from './ui.tsx';

/** Adds the page with a job's progress and result. It can be closed, reloaded and opened again. */
export function addJobs(app: Hono, desk: Pick<Desk, 'jobs'>): void {
  app.get('/desk/jobs/:id', (context) => {
    const job = desk.jobs.get(context.req.param('id'));
    if (job === undefined) return context.render(<p>{CUT_OFF}</p>, { title: 'This is no longer running' });
    if (job.error !== undefined) {
      return context.render(<Notice kind="error" text={job.error.message} />, { title: 'That didn’t work' });
    }
    if (isRunning(job)) return context.render(<Running job={job} />, { title: job.title });
    const { to, notice } = job.result!;
    return context.render(
      <>
        {notice !== undefined && <Notice kind="done" text={notice} />}
        <ButtonLink kind="filled" href={to}>
          Continue
        </ButtonLink>
      </>,
      { title: 'Done' },
    );
  });
}

const CUT_OFF =
  'The server has restarted since this began, or the work finished a while ago. Everything done so far has been kept. Check the page where you started it, and start it again if anything is missing.';

type RunningProps = { job: Job };

function Running({ job: { begunAt, progress } }: RunningProps) {
  return (
    <Panel title="In progress" note={`Started at ${formatClock(begunAt)}`} data-renew aria-live="polite">
      {progress && (
        <>
          <svg className="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(100 * progress.done) / Math.max(1, progress.total)} height="1" />
          </svg>
          <p>
            {formatCount(progress.done)} of {formatCount(progress.total)}
          </p>
        </>
      )}
      <p className="quiet">You can close this page; the work will continue.</p>
      <p>
        <ButtonLink href="?">Refresh</ButtonLink>
      </p>
    </Panel>
  );
}
