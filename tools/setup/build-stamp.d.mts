/** Records that the build in this folder is complete, and the settings it was made with. */
export function stampBuild(folder: string): void;
/** Whether the build in a folder, by default dist/, is whole, newer than its sources and made with these settings. */
export function buildIsFresh(root: string, folder?: string, variables?: Record<string, string | undefined>): boolean;
