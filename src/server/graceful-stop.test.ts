import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const STOPPER = fileURLToPath(new URL('./graceful-stop.ts', import.meta.url));

/** A process whose work never ends, and which may take this long for its end. */
async function startStuck(deadlineMs: number) {
  const program = `
    import { createServer } from 'node:http';
    import { stopOnSignals } from ${JSON.stringify(STOPPER)};
    const server = createServer().listen(0, '127.0.0.1', () => console.log('ready'));
    const never = new Promise(() => setInterval(() => {}, 1000));
    stopOnSignals(server, { finish: () => never, close: () => never, requestsMs: 10, deadlineMs: ${deadlineMs}, log: console.error });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors = text(child.stderr);
  await once(child.stdout, 'data');
  return { child, errors, ended: once(child, 'exit') as Promise<[number | null, string | null]> };
}

test('a stop whose work does not end is cut off at its deadline, and says so', async () => {
  const { child, errors, ended } = await startStuck(300);
  const asked = performance.now();
  child.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  expect(performance.now() - asked).toBeGreaterThanOrEqual(299);
  expect(await errors).toContain('Stop: not done within 0.3 s; what was under way is cut off.');
});

test('while the last work ends, visitors are answered as before', async () => {
  const program = `
    import { createServer } from 'node:http';
    import { stopOnSignals } from ${JSON.stringify(STOPPER)};
    const server = createServer((_, response) => response.end('a page')).listen(0, '127.0.0.1', () => console.log(server.address().port));
    let end;
    const work = new Promise((resolve) => { end = resolve; });
    process.on('message', () => end());
    stopOnSignals(server, { finish: () => { console.log('stopping'); return work; }, close: async () => {}, requestsMs: 1000, deadlineMs: 20000, log: console.error });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [port] = await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  await once(child.stdout!, 'data');
  expect(await (await fetch(`http://127.0.0.1:${String(port).trim()}`)).text()).toBe('a page');
  child.send('end');
  expect(await ended).toEqual([0, null]);
});
