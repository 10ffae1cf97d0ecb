import { splitSource } from '#shared/newsletter.ts';
import { OPTIONAL_FIELD_NAMES, type OptionalField } from '#shared/sign-up-fields.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Subscriber } from '#store/schema.ts';
import { MIN_CAMPAIGN_VISITORS } from '#visits/open-day.ts';
import { MAX_NAMED } from '#visits/read-visits.ts';
import { stripAddresses } from '#visits/visit-origin.ts';
import type { Period } from './read-list.ts';

/** Where people came from, the most frequent first; the rest of each is one entry, `others`. */
export type JoinedBy = Record<'form' | 'campaign' | OptionalField, Count[]>;

export type Count = { name: string; count: number };

/** A person who joined. */
type Joined = Pick<Subscriber, 'first_source' | OptionalField>;

export function readJoined({ db }: Store, { from, to }: Period): Promise<Joined[]> {
  return db
    .selectFrom('subscribers')
    .select(['first_source', ...OPTIONAL_FIELD_NAMES])
    .where('created_at', '>=', toIso(from))
    .where('created_at', '<', toIso(to))
    .execute();
}

/** @param named the campaigns of several visitors */
export function countJoined(joined: Joined[], named: Set<string>): JoinedBy {
  const sources = joined.map(({ first_source }) => splitSource(first_source));
  const campaigns = sources.map(({ campaign }) => stripAddresses(campaign) || NO_CAMPAIGN);
  const fields = OPTIONAL_FIELD_NAMES.map((name) => [name, rank(joined.map((one) => one[name] || 'not given'))]);
  return {
    form: rank(sources.map(({ form }) => form)),
    campaign: rank(hideRareCampaigns(campaigns, named)),
    ...(Object.fromEntries(fields) as Record<OptionalField, Count[]>),
  };
}

/** A campaign of few people may name one of them, and a summary is kept when they are erased: it counts as none. */
function hideRareCampaigns(campaigns: string[], named: Set<string>): string[] {
  const people = Map.groupBy(campaigns, (campaign) => campaign);
  return campaigns.map((campaign) => {
    const isFrequent = named.has(campaign) || people.get(campaign)!.length >= MIN_CAMPAIGN_VISITORS;
    return isFrequent ? campaign : NO_CAMPAIGN;
  });
}

const NO_CAMPAIGN = 'none';

function rank(values: string[]): Count[] {
  const counts = [...Map.groupBy(values, (value) => value)]
    .map(([name, same]) => ({ name, count: same.length }))
    .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name));
  const others = counts.slice(MAX_NAMED).reduce((sum, { count }) => sum + count, 0);
  return others === 0 ? counts : [...counts.slice(0, MAX_NAMED), { name: 'others', count: others }];
}
