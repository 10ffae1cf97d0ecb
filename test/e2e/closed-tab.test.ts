import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { chromium } from '@playwright/test';
import { findFetchedShell } from '../../tools/setup/fetch-headless-shell.ts';
import { chooseEssential } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';
import { fillIn, findForm, hold, hydrateForm, makeAddress, pressJoin } from './sign-up-form.ts';
import { skipIfMissing } from './skip-if-missing.ts';

// A flag, since Playwright's certificate option only lasts as long as its page, and the requests outlive that.
const FLAG = '--ignore-certificate-errors';

const NO_TLS = 'browser with TLS (the one from npm lacks a library)';

for (const [moment, openForm] of [
  ['', hydrateForm],
  [
    ' before the scripts have loaded',
    async (page: Page) => {
      await hold(page);
      return findForm(page);
    },
  ],
] as const) {
  test(`a sign-up is stored if the tab is closed${moment} while the connection is being made`, async ({
    launchOptions,
    site,
  }) => {
    // It exits at the first TLS connection: the package doesn't include SQLite, which its certificate store needs.
    const isMissing = launchOptions.executablePath === findFetchedShell();
    skipIfMissing(isMissing, NO_TLS, import.meta.filename);
    const email = makeAddress();
    const line = await startTlsProxy(Number(new URL(site.url).port));
    const browser = await chromium.launch({ ...launchOptions, args: [...launchOptions.args!, FLAG] });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(chooseEssential);
    await page.goto(line.url);
    const form = await openForm(page);
    await fillIn(form, email);
    line.cut();
    await pressJoin(form);
    await page.close();
    // By the time another tab has loaded, the browser has cancelled whatever it is going to cancel.
    await (await context.newPage()).goto(site.url);
    line.release();
    await expect.poll(() => site.signUps().map((each) => each.email)).toContain(email);
    await browser.close();
    line.close();
  });
}

/** A TLS proxy in front of a server, since without TLS a browser sends a request before the connection is accepted. */
async function startTlsProxy(port: number) {
  const pem = readFileSync(new URL('../localhost.pem', import.meta.url));
  const tls = createTlsServer({ key: pem, cert: pem }, (socket) => {
    const server = connect(port, '127.0.0.1');
    socket.pipe(server).pipe(socket);
    socket.on('error', () => server.destroy());
    server.on('error', () => socket.destroy());
  });
  const open = new Set<Socket>();
  let isHeld = false;
  const accept = (socket: Socket) => tls.emit('connection', socket);
  const line = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    if (!isHeld) accept(socket);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  return {
    url: `https://localhost:${(line.address() as AddressInfo).port}`,
    /** Ends every connection, and holds new ones. */
    cut: () => {
      isHeld = true;
      cut();
    },
    release: () => {
      isHeld = false;
      for (const socket of open) accept(socket);
    },
    close: () => {
      cut();
      line.close();
    },
  };
}
