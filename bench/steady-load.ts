/** A worker thread that requests a page at a steady rate, however long the responses take, and times each one. */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** @property perSecond requests a second */
export type SteadyLoad = { url: string; perSecond: number };

/** A request: when it was due, and how many milliseconds it took from then on; without a status, it failed. */
export type Sample = { at: number; took: number; status: number | undefined };

const { url, perSecond } = workerData as SteadyLoad;
const agent = new Agent({ keepAlive: true });
let samples: Sample[] = [];
let due = Date.now();

setInterval(() => {
  for (; due <= Date.now(); due += 1000 / perSecond) request(due);
}, 2);
// The samples since the last message.
parentPort!.on('message', () => {
  parentPort!.postMessage(samples);
  samples = [];
});

function request(at: number): void {
  const done = (status: number | undefined) => void samples.push({ at, took: Date.now() - at, status });
  const sent = get(url, { agent, timeout: 30_000 }, (response) => {
    response.resume();
    response.once('end', () => done(response.statusCode));
    response.once('error', () => done(undefined));
  });
  sent.once('timeout', () => sent.destroy(new Error('timeout')));
  sent.once('error', () => done(undefined));
}
