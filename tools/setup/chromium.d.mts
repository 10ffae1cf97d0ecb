/** Runs as root in a container, and asks nobody outside. */
export const CHROMIUM_FLAGS: string[];
/** The path of a Chromium on this machine, installed if need be; throws saying what was tried. */
export function findOrInstallChromium(): string;
