import { spawn } from 'node:child_process';

/** Opens an address in the owner's browser, where there is a screen; otherwise she opens what was printed. */
export function openBrowser(address: string): void {
  const isRemote = process.env.SSH_CONNECTION !== undefined;
  const hasScreen = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
  if (isRemote || !hasScreen) return;
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
