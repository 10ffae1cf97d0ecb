import { type Kysely, sql } from 'kysely';
import type { Schema, Subscriber } from '../database/schema.ts';
import { hashMailbox, normaliseForSearch, trimEmail } from './email.ts';
import { countByState, type SubscriberState } from './read-subscribers.ts';

/** Search criteria; an optional one that is left out matches everybody. */
export type PeopleQuery = {
  /** Part of the address, in upper or lower case, or a whole address, however its mailbox is spelt. */
  part?: string | undefined;
  /** Keys the hashes of mailboxes. */
  secret: string;
  state?: SubscriberState | undefined;
  /** An empty string finds people who gave no role. */
  role?: string | undefined;
  /** How the source begins, for example `Footer`. */
  form?: string | undefined;
};

export type FoundPeople = {
  people: Subscriber[];
  /** How many people the search finds in each state. */
  byState: Record<SubscriberState | 'all', number>;
  /** How many people it finds in the given state. */
  total: number;
  /** The number of this page. */
  page: number;
  lastPage: number;
};

/**
 * Reads one page of the people found, newest sign-up first.
 * @param asked the page's number, from 1; the last page is returned if it is too high
 */
export async function searchPeople(db: Kysely<Schema>, query: PeopleQuery, asked: number): Promise<FoundPeople> {
  const { state } = query;
  const counts = await countByState(selectMatching(db, query));
  const byState = { ...counts, all: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  const total = byState[state ?? 'all'];
  const lastPage = Math.max(1, Math.ceil(total / PEOPLE_PER_PAGE));
  const page = Math.min(asked, lastPage);
  const people = await selectMatching(db, query)
    .$if(state !== undefined, (found) => found.where('state', '=', state ?? 'subscribed'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PEOPLE_PER_PAGE)
    .offset((page - 1) * PEOPLE_PER_PAGE)
    .execute();
  return { people, byState, total, page, lastPage };
}

export const PEOPLE_PER_PAGE = 50;

function selectMatching(db: Kysely<Schema>, { part, secret, role, form }: PeopleQuery) {
  return db
    .selectFrom('subscribers')
    .$if(Boolean(part), (query) => {
      const pattern = `%${escapeLike(part ?? '')}%`;
      // One has the domain in punycode, the other in Unicode.
      const mailbox = hashMailbox(normaliseForSearch(part ?? ''), secret);
      return query.where(
        sql<boolean>`(normalised_email like ${pattern} escape '!' or lower(email) like ${pattern} escape '!' or mailbox_hash = ${mailbox})`,
      );
    })
    .$if(role !== undefined, (query) => query.where('role', '=', role ?? ''))
    .$if(Boolean(form), (query) => query.where(sql<boolean>`first_source like ${`${form}%`}`));
}

/** Escapes _ and %, which are wildcards. */
function escapeLike(text: string): string {
  return trimEmail(text).normalize('NFC').toLowerCase().replaceAll(/[!%_]/g, '!$&');
}
