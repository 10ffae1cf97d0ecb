import type { OwnerSetting } from '#settings/environment.ts';
import type { OptionalFields } from '#shared/sign-up-fields.ts';
import type { DeskLink, DeskPasskey, DeskSession } from './sign-in-schema.ts';

/**
 * The tables, the same in SQLite and PostgreSQL. Columns are named as in SQL.
 * Times are ISO 8601 strings in UTC with milliseconds: they sort correctly, in either database and in any viewer.
 */
export type Schema = {
  subscribers: Subscriber;
  /** New addresses that their mailboxes haven't confirmed yet (subscribers/new-address.ts). */
  address_changes: AddressChange;
  /** The mailboxes that people had before they moved to a new address, since links in old emails must still work. */
  former_mailboxes: { mailbox_hash: string; subscriber_id: string };
  consent_wordings: { version: string; wording: string };
  consent_records: ConsentRecord;
  erasures: Erasure;
  deliveries: Delivery;
  /** The emails whose sending began within the last day, which count towards the sending limits. */
  sent_mails: { delivery_id: string; kind: DeliveryKind; mailbox_hash: string | null; taken_at: string };
  /** Values about the store, for example the time of the last purge. */
  metadata: { name: string; value: string };
  /** The owner's settings, by the names that they have in .env (owner-settings/). */
  settings: { name: OwnerSetting; value: string; changed_at: string };
  updates: SentUpdate;
  /**
   * People who received an update whose deliveries have since been pruned, or who received it from another list before
   * they were imported. They must not get it again.
   */
  update_readers: UpdateReader;
  /** Emails, by delivery id, that bounced for a reason that may be temporary (bounces/undeliverable.ts). */
  bounces: { id: string; subscriber_id: string; fault: 'full' | 'unclear'; at: string };
  /** Bounce reports without our headers, until the owner marks or ignores them (bounces/unmatched-reports.ts). */
  unmatched_reports: { id: string; subscriber_id: string; reason: string; at: string; handled_at: string | null };
  page_views: PageViews;
  /** The number of sign-ups on a day, in UTC, whose decoy field was filled in. */
  decoys: { day: string; count: number };
  /** Who may sign in to the desk. `email` is normalised. */
  desk_people: { email: string };
  desk_links: DeskLink;
  desk_sessions: DeskSession;
  desk_passkeys: DeskPasskey;
  content_versions: ContentVersion;
  content_drafts: ContentDraft;
  content_previews: ContentPreview;
  /** Named after a hash of their bytes, which are sent to browsers and email programs unchanged. */
  pictures: { name: string; bytes: Uint8Array; width: number; height: number; added_at: string };
  emails: Email;
  /** The pictures of an update that was sent; they can't be deleted. */
  update_pictures: { update_id: string; picture: string };
};

/** How often a page was shown on one day to people who came from one site. */
export type PageViews = {
  /** The day in London, for example `2026-11-22`. */
  day: string;
  /** The page's path, for example `/privacy-policy`. */
  page: string;
  /** The host that linked here; empty if no other site did. */
  site: string;
  views: number;
};

export type Subscriber = OptionalFields & {
  /** A UUIDv7, in the order of creation. */
  id: string;
  /** As typed, with the domain in Unicode; mail goes to this spelling, with the domain in punycode. */
  email: string;
  /** In lower case, the domain in punycode. */
  normalised_email: string;
  /**
   * A hash keyed with the signing secret, the same for every spelling of one mailbox; sign-ups with the same hash are
   * the same person. Links in emails identify people by it.
   */
  mailbox_hash: string;
  first_source: string;
  state: 'subscribed' | 'pending' | 'unsubscribed' | 'undeliverable';
  /** Why emails can't reach an undeliverable person, without any address; null in every other state. */
  undeliverable_reason: string | null;
  created_at: string;
  state_changed_at: string;
  /** When the person last did something; they are erased two years later. */
  engaged_at: string;
  /**
   * When the last confirmation email was queued. Null after unsubscribing, and for people who were never asked.
   */
  confirmation_queued_at: string | null;
};

/** The address to which somebody on the list wants to move, as in `Subscriber`; one for each person. */
export type AddressChange = Pick<Subscriber, 'email' | 'normalised_email' | 'mailbox_hash'> & {
  subscriber_id: string;
  /** When the email with the link was queued. */
  queued_at: string;
};

/** Append-only, until the person is erased. */
export type ConsentRecord = {
  id: string;
  subscriber_id: string;
  event: 'given' | 'confirmed' | 'withdrawn';
  wording_version: string | null;
  form: string | null;
  /** The payload's source if consent was given; otherwise what caused the event, for example `unsubscribe link`. */
  source: string;
  /** How consent was shown; null for other events, and for imported people. */
  evidence: 'ticked box' | 'vouched for by the sender' | null;
  at: string;
};

/**
 * All that is kept about an erased person who must not come back through a restored backup or an imported file, because
 * they asked to be erased, had unsubscribed two years earlier, or had unsubscribed from another list.
 */
export type Erasure = {
  /** The person's former id, by which they are found in a restored backup. */
  subscriber_id: string;
  /** Keyed with the signing secret. */
  mailbox_hash: string;
  why: 'asked' | 'left';
  at: string;
};

export type DeliveryKind =
  | 'welcome'
  | 'renewal'
  | 'confirmation'
  | 'new-address'
  | 'update'
  | 'notice'
  | 'alert'
  | 'summary'
  | 'unsubscribe-notice'
  | 'sheet-row'
  | 'sheet-unsubscribe'
  | 'sheet-erasure';

export type Delivery = {
  /** Also the Message-ID's first part and the sheet's idempotency key. */
  id: string;
  kind: DeliveryKind;
  subscriber_id: string | null;
  /** The update that it belongs to. No subscriber has two deliveries of one update. */
  update_id: string | null;
  /** JSON: what the delivery says, as of when it was queued. */
  details: string;
  /** docs/decisions/delivery.md shows the transitions. */
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'dropped';
  /** Incremented when an attempt begins. */
  attempts: number;
  /** Attempts without a known outcome: the email may have been accepted. */
  interruptions: number;
  queued_at: string;
  due_at: string;
  give_up_at: string;
  /** While it is being sent: after this time its server is considered dead, unless it has renewed the lease. */
  lease_until: string | null;
  finished_at: string | null;
  /** Set if it failed because a mail server rejected it. */
  fault: Fault | null;
  /** Why the last attempt failed; never an address. */
  last_error: string | null;
};

/**
 * Who is to blame for a rejected email.
 * - `mailbox`: nobody reads this mailbox, or it doesn't exist.
 * - `full`: it can't accept the email now.
 * - `unclear`: the recipient was rejected without a reason. It may also be a provider's rate limit, which can last for
 *   a day.
 * - `sender`: the problem is the sender or the email.
 */
export type Fault = 'mailbox' | 'full' | 'unclear' | 'sender';

/** Somebody who received an update, and with which text; `update_id` is null if it was sent from another list. */
export type UpdateReader = { subscriber_id: string; file: string; text_hash: string; update_id: string | null };

/** An update that was sent, or will be. */
export type SentUpdate = {
  id: string;
  /** The file's name in content/updates/. */
  file: string;
  /** A hash of what people read, which changes whenever the text does. */
  text_hash: string;
  /** 1 if people who received an earlier text get it too. */
  again: 0 | 1;
  subject: string;
  /** As of when it was queued, with placeholders for the reader's own links. */
  html: string;
  text: string;
  /** The Markdown source, with its front matter. */
  source: string;
  /** JSON: the roles that it is for; null for everybody. */
  roles: string | null;
  /** People with a later id don't get it: they joined after it began. Empty until then. */
  last_subscriber_id: string;
  /** How many people it was queued for; until it begins, how many it would go to when it was scheduled. */
  recipients: number;
  /**
   * `queueing`: not all of its deliveries have been created yet. `missed`: no server was running when it was due, or
   * nobody was left to send it to.
   */
  state: 'queueing' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'missed';
  /** The state before it was paused; null unless it is paused. */
  paused_from: SentUpdate['state'] | null;
  /** Why it is paused or was missed, for the owner. */
  state_reason: string | null;
  queued_at: string;
  send_at: string;
  give_up_at: string;
  resumed_at: string | null;
  finished_at: string | null;
};

/** The site's content as of a publish or deploy; the newest version is live. */
export type ContentVersion = {
  /** Numbered from 1, without gaps unless a version is removed. */
  number: number;
  /** Of the overlay (content/overlay.ts). */
  format: number;
  /** JSON of an `Overlay`. */
  overlay: string;
  /** JSON: the text of all files as visitors saw it, by their paths in content/. */
  files: string;
  /** The hash of the files in Git. */
  git: string;
  /** A description of the change, for the list of versions. */
  changed: string;
  /** The email address of the person who published it; empty for a deploy. */
  made_by: string;
  made_at: string;
};

/** A field's new content that isn't live yet. */
export type ContentDraft = {
  key: string;
  /** JSON, like the next two. */
  value: string;
  /** The live content when the field was first changed. */
  base: string;
  /** The value that another window had saved before this one overwrote it. */
  earlier: string | null;
  revision: number;
  changed_by: string;
  changed_at: string;
};

/** A draft that can be viewed by link. */
export type ContentPreview = {
  /** The hash of the token in the link. */
  id: string;
  overlay: string;
  made_by: string;
  made_at: string;
  expires_at: string;
};

/** An email written on the desk. */
export type Email = {
  name: string;
  subject: string;
  /** The preview text that inboxes show after the subject. */
  preview: string;
  /** JSON: the roles that it is for; null for everybody. */
  roles: string | null;
  /** Markdown. */
  text: string;
  revision: number;
  changed_by: string;
  changed_at: string;
};
