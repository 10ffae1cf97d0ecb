/** Records that the build is complete, and the settings it was made with. */
export function stampBuild(root: string): void;
/** Whether dist/ is whole, newer than its sources and made with the settings of now. */
export function buildIsFresh(root: string): boolean;
