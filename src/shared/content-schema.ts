/**
 * The shape of everything in content/. The build checks each file against these schemas, refuses fields it does not
 * know, and hands the result to the site as data; nothing here reaches a visitor's browser.
 */
import { z } from 'zod';
import type { Brand } from './brand.ts';
import { OPTIONAL_FIELDS } from './sign-up-fields.ts';

const PREVIEW_MAX_LENGTH = 150;
const ROLES = OPTIONAL_FIELDS.role.options;
const ROLES_OR_NONE = [...ROLES, ''] as const;

/** As what is left out after a colon is told (src/content/yaml-text.ts). */
const EMPTY = 'nothing is written here. Write it after the colon, or take the line out if the field may be left out';

const text = z.string().trim().min(1, EMPTY);
const HTTPS = 'expected an address that begins with https://';
const SPACED = 'expected an address without spaces. Write %20 in place of each';
const webAddress = address(/^https$/);
const emailAddress = z.email('expected an email address, such as hello@example.org');

function address(protocol: RegExp) {
  const hasSpace = (value: string) => /\s/.test(value.trim());
  const error = ({ input }: { input: unknown }) => (hasSpace(String(input)) ? SPACED : HTTPS);
  return z.url({ protocol, error }).refine((value) => !hasSpace(value), SPACED);
}

const MONTH_AND_YEAR =
  /^(January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d$/;

const storedItem = z.strictObject({
  name: z.string().regex(/^[^\s;=*]+\*?$/, 'expected a name; a * at its end stands for any ending'),
  duration: text,
});

/** A tag may be tried out from a server on one's own machine. */
const tagAddress = address(/^https?$/).refine(
  (value) => value.startsWith('https:') || URL.parse(value)?.hostname === 'localhost',
  HTTPS,
);

const anyTag = {
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected small letters, digits and hyphens'),
  category: z.enum(['preferences', 'statistics', 'marketing']),
  provider: text,
  purpose: text,
  cookies: z.array(storedItem).default([]),
  storage: z.array(storedItem).default([]),
};

/** A third party's script, loaded only once a visitor allows its category. */
const tagSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ ...anyTag, kind: z.literal('plausible'), src: tagAddress }),
    z.strictObject({
      ...anyTag,
      kind: z.literal('ga4'),
      measurementId: z.string().regex(/^G-[A-Z0-9]+$/, 'expected a measurement ID, such as G-ABC123DEF4'),
    }),
    z.strictObject({
      ...anyTag,
      kind: z.literal('script'),
      src: tagAddress,
      /** Further hosts that the script calls; its own needs no mention. */
      hosts: z.array(tagAddress).default([]),
    }),
  ],
  'expected one of plausible, ga4, script',
);

/** The value alone, without the tag around it. */
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

const officeSchema = z.strictObject({ label: text, map: webAddress });

/** A registry's own form: 01234567, SC123456, OC301234, HRB 12345 B. */
const companyNumber = z
  .string()
  .regex(
    /^(?=.*\d)[A-Z\d][A-Za-z\d ./-]{3,19}$/,
    'expected a company number, such as SC123456, or "01234567" in quotes',
  );

export const agencySchema = z.strictObject({
  name: text,
  legalName: text,
  descriptor: text,
  bottomLine: text,
  tagline: z.array(text).length(3, 'expected three words'),
  /** With its country's code, as people read it. */
  telephone: telephone.optional(),
  email: emailAddress,
  website: webAddress,
  calendar: webAddress,
  location: officeSchema,
  /** Further offices; the first is `location`. */
  otherOffices: z.array(officeSchema).default([]),
  /** The agency's own pages elsewhere. */
  profiles: z.array(webAddress).default([]),
  areaServed: z.array(text).min(1, 'expected at least one country or region'),
  /** A sole trader has none. */
  registration: z.strictObject({ number: companyNumber, place: text }).optional(),
  /** Of a sole trader: where the business is. */
  registeredOffice: z.strictObject({
    street: text,
    city: text,
    postcode: text,
    country: z.string().regex(/^[A-Z]{2}$/, 'expected a country code of two capitals, such as GB'),
  }),
  founder: z.strictObject({
    name: text,
    jobTitle: text,
    profile: webAddress,
    profileNetwork: text,
    formerEmployers: z
      .array(z.strictObject({ name: text, url: webAddress }))
      .max(3, 'expected three former employers at most')
      .default([]),
  }),
  dataProtection: z.strictObject({
    lead: text,
    email: emailAddress,
    regulator: z.strictObject({ name: text, url: webAddress }),
  }),
  /** Proofs that search engines and networks ask for, to believe that the site is the agency's. */
  verification: z
    .strictObject({
      google: verificationToken.optional(),
      bing: verificationToken.optional(),
      pinterest: verificationToken.optional(),
      facebook: verificationToken.optional(),
      yandex: verificationToken.optional(),
    })
    .default({}),
  tags: z
    .array(tagSchema)
    .default([])
    .refine((tags) => new Set(tags.map(({ id }) => id)).size === tags.length, 'expected each id only once'),
});

const signUpSchema = z.strictObject({
  heading: text,
  text,
  consent: text,
  doneHeading: text,
  doneText: text,
});

export const homeSchema = z.strictObject({
  title: text,
  description: text,
  hero: z.strictObject({ headline: text, pitch: text, book: text, talk: text }),
  intro: z.strictObject({
    heading: text,
    cards: z
      .array(z.strictObject({ icon: z.enum(['depth', 'person', 'target', 'check']), title: text, text }))
      .min(3, 'expected three to six cards')
      .max(6, 'expected three to six cards'),
  }),
  focus: z.strictObject({
    heading: text,
    areas: z
      .array(
        z.strictObject({
          title: text,
          roles: z.array(text).min(1, 'expected at least one role'),
          figure: text.optional(),
          note: text,
        }),
      )
      .min(1, 'expected one to three areas')
      .max(3, 'expected one to three areas'),
    closing: text,
    closingAccent: text,
  }),
  process: z.strictObject({
    heading: text,
    steps: z
      .array(z.strictObject({ title: text, text }))
      .min(2, 'expected two to five steps')
      .max(5, 'expected two to five steps'),
    book: text,
  }),
  founder: z.strictObject({
    heading: text,
    statement: text,
    biography: z.array(text).min(1, 'expected at least one paragraph'),
    portraitAlt: text,
    stats: z
      .array(z.strictObject({ figure: text, label: text }))
      .min(3, 'expected three or four figures')
      .max(4, 'expected three or four figures'),
  }),
  earlySignUp: signUpSchema,
  contact: z.strictObject({ heading: text, text, book: text, message: text }),
  footerSignUp: signUpSchema,
});

export const faqSchema = z.strictObject({
  heading: text,
  items: z.array(z.strictObject({ question: text, answer: text })).min(1, 'expected at least one question'),
});

/** The facts at the head of a page in Markdown. */
export const markdownPageSchema = z.strictObject({
  heading: text,
  title: text,
  description: text,
  /** The words of its link in the footer; without them it has none. */
  footer: text.optional(),
  lastUpdated: z.string().regex(MONTH_AND_YEAR, 'expected an English month and a year, such as August 2025'),
});

const categorySchema = z.strictObject({ name: text, explanation: text });
const openingsSchema = { text, signal: text, changed: text };
const chosenSchema = z.strictObject({ all: text, essential: text, custom: text });

export const consentSchema = z.strictObject({
  banner: z.strictObject({
    title: text,
    ...openingsSchema,
    policy: text,
    showDetails: text,
    hideDetails: text,
    allowAll: text,
    allowSelection: text,
    denyNonEssential: text,
    close: text,
    alwaysOn: text,
    nothingOptional: text,
    nothingHere: text,
    chosen: chosenSchema,
    withoutTags: z.strictObject({ ...openingsSchema, chosen: chosenSchema }),
    categories: z.strictObject({
      necessary: categorySchema,
      preferences: categorySchema,
      statistics: categorySchema,
      marketing: categorySchema,
    }),
  }),
  table: z.strictObject({ name: text, purpose: text, duration: text, nothingStored: text }),
  ownStorage: z
    .array(z.strictObject({ name: text, purpose: text, duration: text }))
    .min(1, 'expected at least one entry'),
});

const mailSchema = z.strictObject({
  subject: text,
  heading: text,
  paragraphs: z.array(text).min(1, 'expected at least one paragraph'),
  button: text,
  reason: text,
  unsubscribe: text,
});

export const mailsSchema = z.strictObject({ welcome: mailSchema, confirmation: mailSchema });

/** The facts at the head of an update in content/updates/. */
export const updateSchema = z.strictObject({
  subject: text,
  preview: text.max(PREVIEW_MAX_LENGTH, `expected at most ${PREVIEW_MAX_LENGTH} characters; inboxes show no more`),
  roles: z
    .array(z.enum(ROLES_OR_NONE, `expected one of ${ROLES.join(', ')}, or "" for people who gave no role`))
    .min(1, 'expected at least one role; leave roles out to write to everybody')
    .optional(),
});

const pageSchema = z.strictObject({ title: text, text });
const buttonPageSchema = z.strictObject({ title: text, text, button: text });

/** Navigation and buttons of every page, in the words of the specification unless the agency has its own. */
const labelsSchema = z.strictObject({
  skip: text.default('Skip to content'),
  home: text.default('Home'),
  menu: text.default('Menu'),
  focus: text.default('Focus'),
  process: text.default('Process'),
  founder: text.default('Founder'),
  faq: text.default('FAQ'),
  contact: text.default('Contact'),
  join: text.default('Join the list'),
  privacyPolicy: text.default('Privacy Policy'),
  requestTerms: text.default('Request Terms'),
  cookieSettings: text.default('Cookie Settings'),
});

export const pagesSchema = z.strictObject({
  labels: labelsSchema.prefault({}),
  notFound: pageSchema,
  error: pageSchema,
  backHome: text,
  tryAgain: text,
  unsubscribe: buttonPageSchema,
  unsubscribed: pageSchema,
  confirm: buttonPageSchema,
  confirmed: pageSchema,
  badLink: pageSchema,
});

export type Agency = z.infer<typeof agencySchema>;
export type Home = z.infer<typeof homeSchema>;
export type Tag = z.infer<typeof tagSchema>;
export type ConsentCopy = z.infer<typeof consentSchema>;
export type Faq = z.infer<typeof faqSchema>;
export type MailCopy = z.infer<typeof mailSchema>;
export type UpdateFacts = z.infer<typeof updateSchema>;
export type SignUpCopy = z.infer<typeof signUpSchema>;

/** A page in Markdown: its facts, and its sections as HTML that holds no markup but Markdown's own. */
export type MarkdownContent = z.infer<typeof markdownPageSchema> & {
  /** Such as `/terms`. */
  path: string;
  sections: { id: string; heading: string; html: string }[];
};

export type Content = {
  agency: Agency;
  brand: Brand;
  home: Home;
  faq: Faq;
  consent: ConsentCopy;
  mail: Record<'welcome' | 'confirmation', MailCopy>;
  pages: z.infer<typeof pagesSchema>;
  privacyPolicy: MarkdownContent;
  /** The pages of content/pages/, in the order of their names. */
  markdownPages: MarkdownContent[];
};
