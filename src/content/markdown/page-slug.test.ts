import { expect, test } from 'vitest';
import { findSlugError, toSlug } from './page-slug.ts';

test.each([
  ['Terms of business', 'terms-of-business'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['Œuvre', 'oeuvre'],
  ['Søren’s ﬁrm & CO', 'sorens-firm-and-co'],
  ['FAQ for CROs', 'faq-for-cros'],
  ['İstanbul', 'istanbul'],
  ['Đồng, Þór', 'dong-thor'],
  ['🎉!', ''],
  ['条款', ''],
  ['con\u00ADtract \u200Bterms', 'contract-terms'],
])('gives a page named %s the path /%s', (name, slug) => expect(toSlug(name)).toBe(slug));

test.each([
  ['updates', 'the path /updates is taken'],
  ['desk', 'the path /desk is taken'],
  ['preview', 'the path /preview is taken'],
  ['con', 'Windows can'],
  ['a'.repeat(61), 'at most 60'],
  ['', 'may have only lowercase Latin letters'],
  ['Terms', 'may have only lowercase Latin letters'],
])('rejects a page at /%s', (slug, reason) => expect(findSlugError(slug)).toContain(reason));
