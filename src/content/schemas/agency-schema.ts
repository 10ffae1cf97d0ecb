/** The shape of content/agency.yaml: the agency's facts, and the third-party scripts that it uses. */
import { z } from 'zod';
import type { Tag } from '#shared/tag.ts';
import { emailAddress, HTTPS, httpsUrl, text, urlWith } from './content-fields.ts';

const storedItem = z.strictObject({
  name: z.string().regex(/^[^\s;=*]+\*?$/, 'expected a name; a * at its end matches any ending'),
  duration: text,
});

/** A tag may be tested with a local server. */
const tagUrl = urlWith(/^https?$/).refine(
  (value) => value.startsWith('https:') || URL.parse(value)?.hostname === 'localhost',
  HTTPS,
);

/** A host that a tag loads from or sends to, or all hosts of a domain. */
const tagHost = tagUrl.refine(
  (value) => /^https?:\/\/(\*\.)?[^/*]+\/?$/.test(value),
  'expected only a host, such as https://collect.example.com, or https://*.example.com for all of a domain',
);

const anyTag = {
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected lowercase letters, digits and hyphens'),
  category: z.enum(['preferences', 'statistics', 'marketing']),
  provider: text,
  purpose: text,
  cookies: z.array(storedItem).default([]),
  storage: z.array(storedItem).default([]),
  /** Hosts in addition to those of the kind, for scripts, styles, images, frames and requests. */
  hosts: z.array(tagHost).default([]),
};

const idOf = (pattern: RegExp, example: string) => z.string().regex(pattern, `expected an ID, such as ${example}`);
const digits = (example: string) => z.coerce.string().regex(/^\d{1,20}$/, `expected digits, such as ${example}`);

/** A third party's script, loaded only once a visitor allows its category. */
const tagSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ ...anyTag, kind: z.literal('plausible'), src: tagUrl }),
    z.strictObject({
      ...anyTag,
      kind: z.literal('ga4'),
      measurementId: z.string().regex(/^G-[A-Z0-9]+$/, 'expected a measurement ID, such as G-ABC123DEF4'),
      /** Google Ads, in addition to Analytics. */
      adsId: idOf(/^AW-\d+$/, 'AW-123456789').optional(),
    }),
    z.strictObject({ ...anyTag, kind: z.literal('linkedin'), partnerId: digits('"123456"') }),
    z.strictObject({ ...anyTag, kind: z.literal('meta'), pixelId: digits('"1234567890123456"') }),
    /** `url` is Matomo's own; `src` is its script, if that is elsewhere. */
    z.strictObject({
      ...anyTag,
      kind: z.literal('matomo'),
      url: tagUrl,
      siteId: digits('"1"'),
      src: tagUrl.optional(),
    }),
    /** Links to Calendly open in a popup. */
    z.strictObject({ ...anyTag, kind: z.literal('calendly') }),
    z.strictObject({
      ...anyTag,
      kind: z.literal('script'),
      src: tagUrl,
      /** Global variables that the script needs. */
      variables: z
        .record(z.string().regex(/^[A-Za-z_$][\w$]*$/, 'expected the name of a variable'), z.json())
        .default({}),
      /** `data-` attributes of its `<script>`. */
      attributes: z
        .record(z.string().regex(/^data-[a-z0-9-]+$/, 'expected a name that begins with data-'), z.coerce.string())
        .default({}),
      /** Whether it writes `<style>` elements, which are then allowed on all pages. */
      inlineStyles: z.boolean().default(false),
    }),
  ],
  'expected one of plausible, ga4, linkedin, meta, matomo, calendly, script',
) satisfies z.ZodType<Tag>;

/** Only the token, not the whole tag. */
const verificationToken = z
  .string()
  .regex(
    /^[\w-]{8,100}$/,
    'expected the letters and digits between the quotes of content="…", without the rest of the tag',
  );

const telephone = z
  .string()
  .regex(
    /^(?=(?:\D*\d){7})\+[\d ()-]{7,24}$/,
    'expected a telephone number with its country code, in quotes, such as "+44 20 7946 0000"',
  );

const officeSchema = z.strictObject({
  label: text.meta({ title: 'Place' }),
  map: httpsUrl.meta({ title: 'Its map' }),
});

/** As registries write them: 01234567, SC123456, OC301234, HRB 12345 B. */
const companyNumber = z
  .string()
  .regex(
    /^(?=.*\d)[A-Z\d][A-Za-z\d ./-]{3,19}$/,
    'expected a company number, such as SC123456, or "01234567" in quotes',
  );

export const agencySchema = z.strictObject({
  name: text,
  legalName: text.meta({ title: 'Name in the company register' }),
  descriptor: text.meta({ title: 'Line under your name' }),
  bottomLine: text.meta({ title: 'Last line of the page' }),
  /** A language's code, with a region as in en-GB: browsers and search engines read it. */
  language: z
    .string()
    .refine(isLanguage, 'expected the code of a language, such as en-GB or de')
    .default('en-GB')
    .meta({ title: 'Language of your text', description: 'Its code, such as en-GB or de-AT. Nothing is translated.' }),
  tagline: z.array(text).length(3, 'expected three words').meta({ title: 'Three words above the headline' }),
  /** With its country code, formatted for people. */
  telephone: telephone.meta({ description: 'With its country code, such as +44 20 7946 0000.' }).optional(),
  email: emailAddress,
  website: httpsUrl,
  calendar: httpsUrl.meta({ title: 'Your booking page', description: 'The buttons for booking a call link to it.' }),
  location: officeSchema.meta({ title: 'Office' }),
  /** Further offices; the first is `location`. */
  otherOffices: z.array(officeSchema).default([]),
  /** The agency's own pages elsewhere. */
  profiles: z.array(httpsUrl).default([]).meta({ title: 'The agency’s pages elsewhere' }),
  areaServed: z
    .array(text)
    .min(1, 'expected at least one country or region')
    .meta({ title: 'Countries or regions that you work in' }),
  /** A sole trader has none. */
  registration: z
    .strictObject({
      number: companyNumber.meta({ title: 'Company number' }),
      place: text.meta({ title: 'Registered in', description: 'Such as England and Wales.' }),
    })
    .meta({ title: 'Company register', description: 'A sole trader leaves both empty.' })
    .optional(),
  /** For a sole trader, where the business is. */
  registeredOffice: z
    .strictObject({
      street: text,
      city: text,
      postcode: text,
      country: z.string().regex(/^[A-Z]{2}$/, 'expected a country code of two capital letters, such as GB'),
    })
    .meta({ description: 'For a sole trader, where the business is.' }),
  founder: z.strictObject({
    name: text,
    jobTitle: text,
    profile: httpsUrl.meta({ title: 'Your profile on a social network' }),
    profileNetwork: text.meta({ title: 'The network’s name' }),
    formerEmployers: z
      .array(z.strictObject({ name: text, url: httpsUrl.meta({ title: 'Website' }) }))
      .max(3, 'expected three former employers at most')
      .default([])
      .meta({ description: 'Refer to them as {employer1} to {employer3}.' }),
  }),
  dataProtection: z.strictObject({
    lead: text.meta({ title: 'Who is responsible for data protection' }),
    email: emailAddress,
    regulator: z.strictObject({ name: text, url: httpsUrl.meta({ title: 'Where to complain' }) }),
  }),
  /** Tokens with which search engines verify who owns the site. */
  verification: z
    .strictObject({
      google: verificationToken.meta({ title: 'Google’s token' }).optional(),
      bing: verificationToken.meta({ title: 'Bing’s token' }).optional(),
    })
    .default({}),
  tags: z
    .array(tagSchema)
    .default([])
    .meta({ title: 'Tools' })
    .refine((tags) => new Set(tags.map(({ id }) => id)).size === tags.length, 'expected each id only once'),
});

export type Agency = z.infer<typeof agencySchema>;

/** Whether a code is spelt as in BCP 47, and its language and region exist. */
function isLanguage(code: string): boolean {
  try {
    const { language, region } = new Intl.Locale(code);
    const name = (type: 'language' | 'region', of: string) =>
      new Intl.DisplayNames('en', { type, fallback: 'none' }).of(of);
    const exists = name('language', language) !== undefined && (!region || name('region', region) !== undefined);
    return exists && Intl.getCanonicalLocales(code)[0] === code;
  } catch {
    return false;
  }
}
