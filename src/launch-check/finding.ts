/** Something to fix before the site goes live. */
export type Finding = {
  /** A file with line and column, a page, a setting, or a URL. */
  where: string;
  problem: string;
  /** Says how to fix it. */
  advice: string;
};

/** @returns the finding if something is wrong, else nothing */
export function reportIf(isWrong: boolean, where: string, problem: string, advice: string): Finding[] {
  return isWrong ? [{ where, problem, advice }] : [];
}
