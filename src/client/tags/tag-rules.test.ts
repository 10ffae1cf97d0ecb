import { describe, expect, it } from 'vitest';
import type { Tag } from '#shared/tag.ts';
import { nothing, onlyStatistics } from '../cookie-banner/sample-preferences.ts';
import { planTagChanges, findClickEvent, listCookieNames, matchNames, expireCookies, toSignals } from './tag-rules.ts';

describe('tags', () => {
  const tag = (id: string, category: Tag['category']): Tag => ({
    id,
    category,
    kind: 'script',
    src: 'https://tags.example/tag.js',
    hosts: [],
    variables: {},
    attributes: {},
    inlineStyles: false,
    provider: 'Tags Ltd',
    purpose: 'Counting',
    cookies: [],
    storage: [],
  });
  const counter = tag('counter', 'statistics');
  const advert = tag('advert', 'marketing');

  it('load when their category is allowed, and only once', () => {
    expect(planTagChanges([counter, advert], onlyStatistics, new Set())).toEqual({
      load: [counter],
      clear: [advert],
      reload: false,
    });
    expect(planTagChanges([counter, advert], onlyStatistics, new Set(['counter'])).load).toEqual([]);
  });

  it('are removed by a reload if they have run; the reloaded page loads those still allowed', () => {
    const marketingInstead = { ...nothing, marketing: true };
    expect(planTagChanges([counter, advert], marketingInstead, new Set(['counter']))).toEqual({
      load: [],
      clear: [counter],
      reload: true,
    });
  });
});

describe('what a tag leaves behind', () => {
  it('is found by its full name, or by a prefix', () => {
    const names = ['_ga', '_ga_ABC', '_gat', 'session'];
    expect(matchNames([{ name: '_ga' }], names)).toEqual(['_ga']);
    expect(matchNames([{ name: '_ga_*' }], names)).toEqual(['_ga_ABC']);
    expect(matchNames([{ name: '_ga_*' }, { name: 'session' }], names)).toEqual(['_ga_ABC', 'session']);
    expect(matchNames([], names)).toEqual([]);
  });

  it('is read from the page’s cookies by name', () => {
    expect(listCookieNames('a=1; b=2=3;c ; =x')).toEqual(['a', 'b', 'c']);
    expect(listCookieNames('')).toEqual([]);
  });

  it('is removed on every path and for every parent domain, even if it is secure or partitioned', () => {
    expect(expireCookies(['id'], 'www.example.co', ['/', '/one/two'])).toEqual(
      ['/', '/one', '/one/', '/one/two', '/one/two/'].flatMap((path) =>
        ['', '; domain=www.example.co', '; domain=example.co', '; domain=co'].flatMap((domain) => [
          `id=; max-age=0; path=${path}${domain}`,
          `id=; max-age=0; path=${path}${domain}; secure`,
          `id=; max-age=0; path=${path}${domain}; secure; partitioned`,
        ]),
      ),
    );
  });
});

describe('signals of Google’s consent mode', () => {
  it('are all denied at first', () => {
    expect(new Set(Object.values(toSignals('statistics')))).toEqual(new Set(['denied']));
    expect(Object.keys(toSignals('statistics'))).toEqual(
      expect.arrayContaining(['ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage']),
    );
  });

  it('follow the category that each belongs to', () => {
    expect(toSignals('statistics', onlyStatistics)).toEqual({
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'granted',
      functionality_storage: 'denied',
      personalization_storage: 'denied',
      security_storage: 'granted',
    });
    expect(toSignals('marketing', { ...nothing, marketing: true })).toEqual({
      ad_storage: 'granted',
      ad_user_data: 'granted',
      ad_personalization: 'granted',
      analytics_storage: 'granted',
      functionality_storage: 'denied',
      personalization_storage: 'denied',
      security_storage: 'granted',
    });
    expect(toSignals('statistics', { ...nothing, preferences: true })).toMatchObject({
      analytics_storage: 'denied',
      functionality_storage: 'granted',
      personalization_storage: 'granted',
    });
  });
});

describe('a click', () => {
  it('is measured if it books a call or opens an email', () => {
    const calendar = 'https://calendar.example';
    expect(findClickEvent('https://calendar.example/', calendar)).toBe('book_call_click');
    expect(findClickEvent('mailto:hello@agency.example', calendar)).toBe('email_click');
    expect(findClickEvent('https://calendar.example/other', calendar)).toBeUndefined();
    expect(findClickEvent('https://agency.example/mailto:', calendar)).toBeUndefined();
  });
});
