/**
 * A fixture that each Playwright worker starts once, and stops when its tests are done.
 * @param timeout milliseconds allowed for starting and stopping, if the test timeout is too short
 */
export function perWorker<Running extends { stop: () => unknown }>(
  start: () => Promise<Running>,
  timeout?: number,
): WorkerFixture<Running> {
  // Playwright reads a fixture's dependencies from this pattern.
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
