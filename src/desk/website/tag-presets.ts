import type { Value } from '#content/edit-yaml.ts';

/** A kind of tag: its label on the desk, and the initial values of its form. */
type TagPreset = { label: string; values: Record<string, Value> };

const listCookies = (...items: [name: string, duration: string][]) =>
  items.map(([name, duration]) => ({ name, duration }));

/** By the kind of tag. The cookies are those that each provider documents. */
export const TAG_PRESETS: Record<string, TagPreset> = {
  plausible: {
    label: 'Plausible',
    values: {
      id: 'plausible',
      category: 'statistics',
      provider: 'Plausible Insights OÜ',
      purpose: 'Counts visits without cookies',
    },
  },
  ga4: {
    label: 'Google Analytics',
    values: {
      id: 'google-analytics',
      category: 'statistics',
      provider: 'Google Ireland Ltd',
      purpose: 'Shows which pages lead to a call',
      cookies: listCookies(['_ga', '2 years'], ['_ga_*', '2 years']),
    },
  },
  linkedin: {
    label: 'LinkedIn',
    values: {
      id: 'linkedin',
      category: 'marketing',
      provider: 'LinkedIn Ireland',
      purpose: 'Measures which LinkedIn advert led to a visit',
      cookies: listCookies(['li_fat_id', '30 days']),
    },
  },
  meta: {
    label: 'Meta (Facebook, Instagram)',
    values: {
      id: 'meta',
      category: 'marketing',
      provider: 'Meta Platforms Ireland',
      purpose: 'Measures which Facebook or Instagram advert led to a visit',
      cookies: listCookies(['_fbp', '90 days'], ['_fbc', '90 days']),
    },
  },
  matomo: {
    label: 'Matomo',
    values: {
      id: 'matomo',
      category: 'statistics',
      provider: 'InnoCraft Ltd',
      purpose: 'Shows which pages lead to a call',
      cookies: listCookies(['_pk_id*', '13 months'], ['_pk_ses*', '30 minutes']),
    },
  },
  calendly: {
    label: 'Calendly',
    values: {
      id: 'calendly',
      category: 'preferences',
      provider: 'Calendly LLC',
      purpose: 'Lets you choose a time without leaving this site',
    },
  },
  script: { label: 'Another script', values: { category: 'marketing' } },
};
