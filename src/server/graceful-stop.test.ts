import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const STOPPER = fileURLToPath(new URL('./graceful-stop.ts', import.meta.url));

/**
 * Starts a process with a server that responds with "a page".
 * @param work JavaScript of a promise: the work in progress when the process is asked to stop. `finish()` ends it
 */
async function startStoppable(work: string, times: { requestsMs: number; deadlineMs: number }) {
  const program = `
    import { createServer } from 'node:http';
    import { stopOnSignals } from ${JSON.stringify(STOPPER)};
    const server = createServer((_, response) => response.end('a page')).listen(0, '127.0.0.1', () => console.log(server.address().port));
    const message = new Promise((resolve) => process.once('message', resolve));
    const finish = () => { console.log('stopping'); return ${work}; };
    stopOnSignals([server], { finish, close: async () => process.disconnect(), log: console.error, ...${JSON.stringify(times)} });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors = text(child.stderr!);
  const [port] = await once(child.stdout!, 'data');
  return { child, port: Number(port), errors, ended: once(child, 'exit') as Promise<[number | null, string | null]> };
}

test('stops at the deadline if the work hasn’t ended, and says so', async () => {
  const { child, errors, ended } = await startStoppable('new Promise(() => {})', { requestsMs: 10, deadlineMs: 300 });
  const asked = performance.now();
  child.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  expect(performance.now() - asked).toBeGreaterThanOrEqual(299);
  expect(await errors).toContain('Stop: not done within 0.3 s; the remaining work is aborted.');
});

test('stops at once on a second Ctrl-C, but not on copies of the first', async () => {
  const { child, ended } = await startStoppable('new Promise(() => {})', { requestsMs: 10, deadlineMs: 20_000 });
  const begun = performance.now();
  child.kill('SIGTERM');
  // A person presses it until something happens.
  const pressing = setInterval(() => child.kill('SIGINT'), 300);
  expect(await ended).toEqual([1, null]);
  clearInterval(pressing);
  expect(performance.now() - begun).toBeGreaterThan(1000);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('serves visitors until the last of the work is done', async () => {
  const { child, port, ended } = await startStoppable('message', { requestsMs: 1000, deadlineMs: 20_000 });
  child.kill('SIGTERM');
  await once(child.stdout!, 'data');
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('a page');
  child.send('end');
  expect(await ended).toEqual([0, null]);
});

test('stops even if a request never finishes', async () => {
  const { child, port, ended } = await startStoppable('Promise.resolve()', { requestsMs: 300, deadlineMs: 20_000 });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{');
  await once(socket, 'data');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
