import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { FieldError } from './handle-forms.ts';
import type { Desk } from './desk-types.ts';
import { type ExplainingDesk, explainToOwner } from './explain-to-owner.ts';

/** Work that may outlast a request, such as an import. */
export type Job = {
  kind: string;
  /** What it does, such as "Adding people". */
  title: string;
  /** In milliseconds since 1970. */
  begunAt: number;
  /** Its progress; undefined until it is known. */
  progress?: { done: number; total: number };
  /** Its result, and the page that shows it. */
  result?: JobResult;
  /** Why it failed, for the owner. */
  error?: Error;
};

export type JobResult = { to: string; notice?: string };
export type ReportProgress = (done: number, total: number) => void;

/** This desk's jobs, by id; the last few that ended are kept. */
export type Jobs = Map<string, Job>;

type JobsDesk = Pick<Desk, 'jobs'> & ExplainingDesk;

/**
 * Starts a job (one of each kind at a time) and waits a moment, because most jobs end soon.
 * @returns its result if it has ended by then, otherwise the page that shows its progress
 * @throws the job's error if it has failed by then
 */
export async function runJob(
  desk: JobsDesk,
  { kind, title }: Pick<Job, 'kind' | 'title'>,
  work: (report: ReportProgress) => Promise<JobResult>,
): Promise<JobResult> {
  const { jobs } = desk;
  const [running] = [...jobs].find(([, job]) => job.kind === kind && isRunning(job)) ?? [];
  if (running !== undefined) return { to: toJobPath(running) };
  const id = randomUUID();
  const job: Job = { kind, title, begunAt: Date.now() };
  jobs.set(id, job);
  for (const [old, each] of [...jobs].slice(0, -MAX_JOBS)) if (!isRunning(each)) jobs.delete(old);
  await Promise.race([finish(desk, job, work), setTimeout(WAIT_MS, undefined, { ref: false })]);
  if (isRunning(job)) return { to: toJobPath(id) };
  jobs.delete(id);
  if (job.result !== undefined) return job.result;
  throw job.error;
}

async function finish(desk: JobsDesk, job: Job, work: (report: ReportProgress) => Promise<JobResult>): Promise<void> {
  const report: ReportProgress = (done, total) => {
    job.progress = { done, total };
  };
  try {
    job.result = await work(report);
  } catch (error) {
    job.error = error instanceof FieldError ? error : new Error(explainToOwner(error, desk), { cause: error });
  }
}

const MAX_JOBS = 20;
const WAIT_MS = 1500;

export function isRunning({ result, error }: Job): boolean {
  return result === undefined && error === undefined;
}

function toJobPath(id: string): string {
  return `/desk/jobs/${id}`;
}
