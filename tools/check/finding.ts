/** Something that stands between the site and going live. */
export type Finding = {
  /** A file with line and column, a page, or an address. */
  where: string;
  problem: string;
  /** What to do about it. */
  advice: string;
};
