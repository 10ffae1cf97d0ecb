/**
 * A fixture that each worker of Playwright starts once, and stops when its tests are done.
 * @param timeout milliseconds that starting and stopping may take, if a test's own are too few
 */
export function perWorker<Running extends { stop: () => unknown }>(
  start: () => Promise<Running>,
  timeout?: number,
): WorkerFixture<Running> {
  // Playwright reads from this pattern which fixtures a fixture needs.
  // oxlint-disable-next-line no-empty-pattern
  const fixture = async ({}: object, use: (running: Running) => Promise<void>) => {
    const running = await start();
    await use(running);
    await running.stop();
  };
  return [fixture, { scope: 'worker', ...(timeout !== undefined && { timeout }) }];
}

type WorkerFixture<Running> = [
  (needs: object, use: (running: Running) => Promise<void>) => Promise<void>,
  { scope: 'worker'; timeout?: number },
];
