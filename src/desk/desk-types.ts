import type { ReactNode } from 'react';
import type { Places } from '#server/find-places.ts';
import type { SiteContent } from '#content/site-content.ts';
import type { Opened } from '#newsletter/open-list.ts';
import type { ShownSite } from '#server/live-site.ts';
import type { SiteAnswer } from './site-answer.ts';

/** What every page of the desk works with. */
export type Desk = Opened & {
  places: Places;
  /** The site that visitors see, which has the words, the fonts and the pictures of the desk's own pages. */
  shown: ShownSite;
  /** Its content. */
  content: SiteContent;
  /** The folder of drafts: content/updates/ holds only text that was saved. */
  drafts: string;
  /** A token in each form: the desk refuses forms without it. */
  csrf: string;
  /** A key in the URLs of pictures, which a preview requests without a cookie. */
  picturesKey: string;
  /** The message of the page after each form; kept until the desk ends, so that no GET changes anything. */
  answers: Map<string, Answer>;
  /** Whether the public site answers, asked at most once a minute. */
  askSite: () => Promise<SiteAnswer>;
};

/** The outcome of a form: what it did, or why it did nothing. */
export type Answer = { notice?: string; mistake?: Mistake };

/**
 * @property field the id of the wrong field; undefined if the page shows the mistake at its top
 * @property typed what was typed into the form, if a field is wrong
 */
export type Mistake = { field: string | undefined; message: string; typed: Record<string, string | undefined> };

export type Page = {
  title: string;
  /** Above the heading; without it, the section that the page belongs to. */
  eyebrow?: ReactNode;
  /** Below the heading. */
  lead?: ReactNode;
  /** Beside the heading: links and buttons for the whole page. */
  actions?: ReactNode;
};

declare module 'hono' {
  interface ContextRenderer {
    (body: ReactNode, page: Page): Response | Promise<Response>;
  }
}
