/** Something that stands between the site and going live. */
export type Finding = {
  /** A file with line and column, a page, or an address. */
  where: string;
  problem: string;
  /** Says how to mend it. */
  advice: string;
  /** Set where it is the owner's choice: it is told, and does not stand in the way. */
  mayStay?: true;
};

/** @returns the finding where something is wrong, and nothing where it is not */
export function findingIf(isWrong: boolean, where: string, problem: string, advice: string): Finding[] {
  return isWrong ? [{ where, problem, advice }] : [];
}
