/** Something to mend before the site goes live. */
export type Finding = {
  /** A file with line and column, a page, or an address. */
  where: string;
  problem: string;
  /** Says how to mend it. */
  advice: string;
  /** Set where it is the owner's choice: it is shown, and does not stop the launch. */
  mayStay?: true;
};

/** @returns the finding where something is wrong, and nothing where it is not */
export function reportIf(isWrong: boolean, where: string, problem: string, advice: string): Finding[] {
  return isWrong ? [{ where, problem, advice }] : [];
}
