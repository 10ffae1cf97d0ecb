import type { ReactNode } from 'react';
import type { MailTransport } from '#newsletter/deliveries/smtp/mail-transport.ts';
import type { Places } from '#server/find-places.ts';
import type { SiteContent } from '#content/site-content.ts';
import type { Opened } from '#newsletter/open-list.ts';
import type { DraftField } from '#publishing/content-drafts.ts';
import type { LiveSite } from '#publishing/live-version.ts';
import type { Publication } from './website/publish.ts';
import type { Jobs } from './jobs.ts';

/** What every page of the desk works with. */
export type Desk = Opened & {
  /** Where browsers open the desk: the origin of SITE_URL, or of localhost. */
  origin: string;
  /** Takes a line for the server's log, without any address of a person. */
  log: (line: string) => void;
  /** Opens the mail account, for a mail that waits behind no other. */
  openTransport: () => MailTransport;
  places: Places;
  /** The site that visitors see, which has the words, the fonts and the pictures of the desk's own pages. */
  shown: LiveSite;
  /** The last publish of this desk, and whether a host for files shows the site. */
  publishing: { last?: Publication; asked?: { at: number; isStatic: boolean } };
  /** Its content. */
  content: SiteContent;
  /** A key in the URLs of pictures, which a preview requests without a cookie. */
  picturesKey: string;
  /** The results of the last forms, for the page after each. */
  results: Map<string, FormResult>;
  /** Work that goes on after its request. */
  jobs: Jobs;
};

/** What a form did, or why it did nothing. */
export type FormResult = { notice?: string; error?: FormError; undo?: Undo };

/**
 * How the removal of words can be undone.
 * @property at the place of the button on its page @property path where the button sends its form
 * @property words what the draft had, by the key of the field; undefined if it had nothing
 */
export type Undo = { at: string; path: string; sentence: string; words: Record<string, DraftField | undefined> };

/**
 * @property field the id of the wrong field; undefined if the page shows the message at its top
 * @property fields what was typed into the form, if a field is wrong
 */
export type FormError = { field: string | undefined; message: string; fields: Record<string, string | undefined> };

export type Page = {
  title: string;
  /** Above the heading; without it, the section that the page belongs to. */
  eyebrow?: ReactNode;
  /** Below the heading. */
  lead?: ReactNode;
  /** Beside the heading: links and buttons for the whole page. */
  actions?: ReactNode;
};

/** What the pages on which updates are written need. */
export type WritingDesk = Pick<Desk, 'content' | 'store' | 'env' | 'secret' | 'places' | 'picturesKey' | 'results'>;

/** What the pages of the website need. */
export type WebsiteDesk = Pick<
  Desk,
  'content' | 'env' | 'store' | 'shown' | 'publishing' | 'picturesKey' | 'results'
> & {
  places: Pick<Places, 'content' | 'build' | 'site'>;
};

declare module 'hono' {
  interface ContextRenderer {
    (body: ReactNode, page: Page): Response | Promise<Response>;
  }
}
