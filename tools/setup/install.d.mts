/** Installs what package-lock.json names, if it is not installed already. @param root the project's folder */
export function installIfMissing(root: string): void;
