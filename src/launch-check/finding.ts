/** Something to fix before the site goes live. */
export type LaunchFinding = {
  /** A file with line and column, a page, a setting, or a URL. */
  where: string;
  problem: string;
  /** Says how to fix it. */
  advice: string;
  /** The field of content/ on the desk's forms, such as `agency.founder.name` or `picture.mark`. */
  field?: string;
};

/** @returns the finding if something is wrong; otherwise an empty list */
export function reportIf(
  isWrong: boolean,
  where: string,
  problem: string,
  advice: string,
  field?: string,
): LaunchFinding[] {
  return isWrong ? [{ where, problem, advice, ...(field !== undefined && { field }) }] : [];
}
