import type { ReactNode } from 'react';
import type { MailTransport } from '#newsletter/deliveries/smtp/mail-transport.ts';
import type { Places } from '#server/find-places.ts';
import type { SiteContent } from '#content/site-content.ts';
import type { Opened } from '#newsletter/open-list.ts';
import type { DraftField } from '#publishing/content-drafts.ts';
import type { LiveSite } from '#publishing/live-version.ts';
import type { Publication } from './website/publish.ts';
import type { Jobs } from './jobs.ts';

/** The state that all of the desk's pages share. */
export type Desk = Opened & {
  /** Where browsers open the desk: the origin of SITE_URL, or of localhost. */
  origin: string;
  /** Writes a line to the server's log; it must not contain anybody's address. */
  log: (line: string) => void;
  /** Opens the mail account, for an email that bypasses the queue. */
  openTransport: () => MailTransport;
  places: Places;
  /** The site that visitors see; the desk's own pages use its text, fonts and pictures. */
  shown: LiveSite;
  /** The last publish of this desk, and whether a static host serves the site. */
  publishing: { last?: Publication; asked?: { at: number; isStatic: boolean } };
  /** The content of that site. */
  content: SiteContent;
  /** A key in the URLs of pictures, which a preview requests without a cookie. */
  picturesKey: string;
  /** The results of recently sent forms, for the page after each. */
  results: Map<string, FormResult>;
  /** Work that continues after its request. */
  jobs: Jobs;
};

/** The result of a form, or why it failed. */
export type FormResult = { notice?: string; error?: FormError; undo?: Undo };

/**
 * How a removal can be undone.
 * @property at the place of the button on the page @property path the path that the button's form is sent to
 * @property values the draft's previous fields, by key; undefined for a field that it didn't have
 */
export type Undo = { at: string; path: string; sentence: string; values: Record<string, DraftField | undefined> };

/**
 * @property field the id of the wrong field; undefined if the page shows the message at its top
 * @property fields the submitted values, if a field is wrong
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

/** The parts of the desk that the pages for writing updates need. */
export type WritingDesk = Pick<
  Desk,
  'content' | 'store' | 'env' | 'secret' | 'log' | 'places' | 'picturesKey' | 'results'
>;

/** The parts of the desk that the Website pages need. */
export type WebsiteDesk = Pick<
  Desk,
  'content' | 'env' | 'origin' | 'store' | 'log' | 'shown' | 'publishing' | 'picturesKey' | 'results'
> & {
  places: Pick<Places, 'content' | 'build' | 'site'>;
};

declare module 'hono' {
  interface ContextRenderer {
    (body: ReactNode, page: Page): Response | Promise<Response>;
  }
}
