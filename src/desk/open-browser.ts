import { spawn } from 'node:child_process';

/** Opens a URL in the owner's browser if this machine has a screen; otherwise the owner opens the printed URL. */
export function openBrowser(url: string): void {
  const isRemote = process.env.SSH_CONNECTION !== undefined;
  const hasScreen = process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
  if (isRemote || !hasScreen) return;
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
