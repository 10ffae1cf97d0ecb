import type { Opened } from '../command/with-store.ts';

/** Where the desk finds the built site, the updates and, on a machine that has it, the project. */
export type DeskPlaces = { site: string; updates: string; project: string | undefined; dataDir: string };

/** All that a page of the desk works with. */
export type Desk = Opened & {
  places: DeskPlaces;
  /** In each form, by which the desk knows its own. */
  csrf: string;
  /** In the addresses of pictures, which a preview asks for without a cookie. */
  picturesKey: string;
  /** Keeps a sentence for the next page. @returns what a redirect carries for it */
  say: (sentence: string) => string;
  /** The sentence that a redirect carried. */
  heard: (key: string | undefined) => string | undefined;
  /** Whether the public site answers, asked at most once a minute. */
  askSite: () => Promise<SiteAnswer>;
};

/** @property problem in words, where it does not answer */
export type SiteAnswer = { url: string; at: number; problem: string | undefined };
