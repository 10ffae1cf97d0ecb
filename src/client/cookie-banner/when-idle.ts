/** The longest that a task waits for an idle moment, in milliseconds. */
const TIMEOUT_MS = 2000;

/** Runs a task once the page has loaded and been painted, and the browser is idle. */
export async function whenIdle(task: () => void): Promise<void> {
  await waitForView();
  await Promise.all([waitForLoad(), waitForPaint()]);
  if ('requestIdleCallback' in window) window.requestIdleCallback(task, { timeout: TIMEOUT_MS });
  // Safari has no idle callback, so the moment after painting has to do.
  else setTimeout(task, 200);
}

/** Chromium may load a page before anybody opens it, for example while its address is being typed. */
function waitForView(): Promise<unknown> {
  return new Promise((resolve) => {
    if ((document as { prerendering?: boolean }).prerendering) document.addEventListener('prerenderingchange', resolve);
    else resolve(undefined);
  });
}

function waitForLoad(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') resolve(undefined);
    else window.addEventListener('load', resolve);
  });
}

/** The first paint, or a timeout: some browsers do not report it, and a hidden tab does not paint. */
function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, TIMEOUT_MS);
  });
}
