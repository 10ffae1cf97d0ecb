import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from 'd3-array';
import { startServer } from './server.ts';

const DEBUGGER = '127.0.0.1:28416';
const WARM_UP_MS = 2000;
const MEASURED_MS = 35_000;

/**
 * What counting visits costs a server. Two processes of one program differ by more than that, and so do two seconds of
 * one process. So one built server changes every 20 ms, under one load, between counting and not counting: its debugger
 * takes the counter out and puts it back. Each four turns, A B B A, give one ratio.
 * @param ask loads an address for some seconds
 * @returns the median of requests a second while it counts, times those while it does not
 */
export async function measureCounting(ask: (url: string, seconds: number) => Promise<unknown>): Promise<number> {
  await using server = await startServer(undefined, {
    NODE_OPTIONS: `--inspect=${DEBUGGER} --inspect-publish-uid=http`,
  });
  const asked = ask(server.url, (WARM_UP_MS + MEASURED_MS) / 1000 + 3);
  await pause(WARM_UP_MS);
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://${DEBUGGER}/json/list`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  const call = async (method: string, params: object) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = await once(socket, 'message');
    const { result } = JSON.parse(data);
    if (result === undefined || result.exceptionDetails) throw new Error(data);
    return result;
  };
  const { result: prototype } = await call('Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = await call('Runtime.queryObjects', { prototypeObjectId: prototype.objectId });
  const { result } = await call('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: takeTurns.toString(),
    arguments: [{ value: MEASURED_MS }],
    awaitPromise: true,
    returnByValue: true,
  });
  socket.close();
  await asked;
  return median(result.value as number[])!;
}

/** Runs in the server, on all of its objects, one of which holds the counter. */
async function takeTurns(this: { visits?: unknown }[], wholeMs: number): Promise<number[]> {
  const receivers = this.filter((each) => Object.hasOwn(each, 'visits') && Object.hasOwn(Object(each.visits), 'shown'));
  const [receiver] = receivers;
  if (receiver === undefined || receivers.length > 1) throw new Error('Expected one object with a visit counter');
  const { visits } = receiver;
  let answered = 0;
  process.getBuiltinModule('node:diagnostics_channel').subscribe('http.server.response.finish', () => (answered += 1));
  const ratios: number[] = [];
  for (const end = performance.now() + wholeMs; performance.now() < end;) {
    const rates = { counting: 0, silent: 0 };
    for (const turn of ['counting', 'silent', 'silent', 'counting'] as const) {
      receiver.visits = turn === 'counting' ? visits : undefined;
      const [before, start] = [answered, performance.now()];
      await new Promise((resolve) => setTimeout(resolve, 20));
      rates[turn] += (answered - before) / (performance.now() - start);
    }
    ratios.push(rates.counting / rates.silent);
  }
  return ratios;
}
