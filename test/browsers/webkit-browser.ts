import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import type { Browser } from './browser.ts';

const TIMEOUT_MS = 10_000;

/** WebDriver's codes for keys that type no character. */
const KEYS: Record<string, string> = { ArrowLeft: '\uE012', Enter: '\uE007' };

/** WebKitGTK's MiniBrowser on a virtual screen, driven over WebDriver. */
export async function openWebKit(): Promise<Browser> {
  const screen = await startScreen();
  const { url, stop } = await startDriver(screen.display);
  const { sessionId } = await call<{ sessionId: string }>('POST', `${url}/session`, {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: findMiniBrowser()!, args: ['--automation'] } },
    },
  });
  const session = `${url}/session/${sessionId}`;
  const find = (xpath: string) => findElement(session, xpath);
  const evaluate: Browser['evaluate'] = (run, ...given) =>
    call('POST', `${session}/execute/sync`, { script: `return (${run.toString()})(...arguments)`, args: given });
  return {
    open: (address) => call('POST', `${session}/url`, { url: address }),
    click: (xpath) =>
      until(async () => {
        const element = await find(xpath);
        // The driver would scroll smoothly, and click before the element has arrived.
        await evaluate((path: string) => {
          const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
          (found as Element).scrollIntoView({ block: 'center', behavior: 'instant' });
        }, xpath);
        await call('POST', `${element}/click`, {});
      }),
    press: async (key) => {
      const active = await call<Record<string, string>>('GET', `${session}/element/active`);
      await call('POST', `${session}/element/${Object.values(active)[0]}/value`, { text: KEYS[key] ?? key });
    },
    evaluate,
    resize: (width, height) => call('POST', `${session}/window/rect`, { width, height }),
    close: async () => {
      await call('DELETE', session);
      await stop();
      await screen.stop();
    },
  };
}

async function startScreen(): Promise<{ display: string; stop: () => Promise<void> }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const exited = once(screen, 'exit');
  const [number] = await Promise.race([once(screen.stdio[3]!, 'data'), exited]);
  return {
    display: `:${String(number).trim()}`,
    stop: async () => {
      screen.kill();
      await exited;
    },
  };
}

async function startDriver(display: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
  });
  const exited = once(driver, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await until(() => call('GET', `${url}/status`));
  return {
    url,
    stop: async () => {
      driver.kill();
      await exited;
    },
  };
}

/** @returns what this machine lacks to run WebKit; undefined if it has everything */
export function findMissingForWebKit(): string | undefined {
  const missing = ['WebKitWebDriver', 'Xvfb'].filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0 && findMiniBrowser() === undefined) missing.push('MiniBrowser');
  return missing.length > 0 ? missing.join(', ') : undefined;
}

/** Debian keeps it next to the library, in a folder named after the library's version. */
function findMiniBrowser(): string | undefined {
  const libraries = readdirSync('/usr/lib', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join('/usr/lib', name));
  return libraries
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith('webkit2gtk-4'))
        .map((name) => join(folder, name, 'MiniBrowser')),
    )
    .find((file) => existsSync(file));
}

/** The WebDriver path of the element that an XPath finds, once it is there. */
async function findElement(session: string, xpath: string): Promise<string> {
  const element = await until(() =>
    call<Record<string, string>>('POST', `${session}/element`, { using: 'xpath', value: xpath }),
  );
  return `${session}/element/${Object.values(element)[0]}`;
}

/** Retries until it succeeds, or throws its last failure. */
async function until<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(50);
    }
  }
}

/** Sends a WebDriver command (w3.org/TR/webdriver2). */
async function call<Result>(method: string, url: string, body?: object): Promise<Result> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}
