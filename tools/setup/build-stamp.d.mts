/** Records that the build in this folder is complete, and the settings it was made with. */
export function stampBuild(folder: string): void;
/** Whether dist/ is whole, newer than its sources and made with the settings of now. */
export function buildIsFresh(root: string): boolean;
