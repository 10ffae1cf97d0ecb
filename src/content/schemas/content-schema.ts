/**
 * The shape of everything in content/. The build checks each file against these schemas, rejects unknown
 * fields, and hands the result to the site as data; nothing here reaches a visitor's browser.
 */
import { z } from 'zod';
import type { Agency } from './agency-schema.ts';
import type { Brand } from './brand-schema.ts';
import { longText, text } from './content-fields.ts';
import type { pagesSchema } from './pages-schema.ts';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';

const PREVIEW_MAX_LENGTH = 150;
const ROLES = OPTIONAL_FIELDS.role.options;

/** Every role that somebody may have; the empty string is for people who gave none. */
export const ROLES_OR_NONE = [...ROLES, ''] as const;

const MONTH_AND_YEAR =
  /^(January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d$/;

const signUpSchema = z.strictObject({
  heading: text,
  text: longText,
  consent: longText.meta({
    title: 'Sentence beside the box',
    description: 'What people agree to. Each sign-up is stored with the wording that was shown.',
  }),
  doneHeading: text.meta({ title: 'Heading after signing up' }),
  doneText: longText.meta({ title: 'Text after signing up' }),
});

/** The sheet of three finalists at the end of the process, its answers drawn in dots. */
const shortlistSchema = z.strictObject({
  heading: text,
  text: longText,
  promise: text,
  sheet: z.strictObject({ title: text, columns: z.array(text).length(4, 'expected four columns') }),
});

/** Shown below the hero if there is at least one name. */
const clientsSchema = z.strictObject({
  heading: text.default('We have hired for'),
  names: z
    .array(text.meta({ title: 'Client' }))
    .max(8, 'expected at most eight names')
    .meta({ description: 'Shown if there is at least one.' })
    .default([]),
});

/** Shown after the process if there is at least one. */
const placementsSchema = z.strictObject({
  heading: text.default('Searches that ended well'),
  items: z
    .array(
      z.strictObject({ role: text, market: text, stage: text, city: text, days: text }).meta({ title: 'Placement' }),
    )
    .max(6, 'expected at most six placements')
    .meta({ title: 'Placements', description: 'Shown if there is at least one.' })
    .default([]),
});

export const homeSchema = z.strictObject({
  title: text.meta({ title: 'Title', description: 'Shown in the browser’s tab and as the title of a search result.' }),
  description: longText.meta({
    title: 'Description',
    description: 'Shown below the title in a search result, and when the page is shared.',
  }),
  hero: z.strictObject({
    headline: text.meta({
      title: 'Headline',
      description: 'The largest text on the site. Up to nine words work best.',
    }),
    pitch: longText.meta({ title: 'What you do', description: 'Two sentences below the headline.' }),
    book: text.meta({ title: 'Button that books a call' }),
    talk: text.meta({ title: 'Second button' }),
  }),
  clients: clientsSchema.prefault({}).meta({ title: 'Clients' }),
  intro: z.strictObject({
    heading: text,
    cards: z
      .array(
        z
          .strictObject({ icon: z.enum(['depth', 'person', 'target', 'check']), title: text, text: longText })
          .meta({ title: 'Card' }),
      )
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
          figure: text
            .meta({ title: 'Large figure', description: 'Such as 9–18; the note begins with what it counts.' })
            .optional(),
          note: longText,
        }),
      )
      .min(1, 'expected one to three areas')
      .max(3, 'expected one to three areas'),
    closing: text.meta({ title: 'Last line' }),
    closingAccent: text.meta({ title: 'Last words, in the accent colour' }),
  }),
  process: z.strictObject({
    heading: text,
    promise: text.optional(),
    steps: z
      .array(z.strictObject({ title: text, text: longText }).meta({ title: 'Step' }))
      .min(2, 'expected two to five steps')
      .max(5, 'expected two to five steps'),
    book: text.meta({ title: 'Button' }),
    shortlist: shortlistSchema
      .meta({
        title: 'Shortlist',
        description: 'The sheet with three finalists. Clear all its fields to leave it out.',
      })
      .optional(),
  }),
  placements: placementsSchema.prefault({}),
  founder: z.strictObject({
    heading: text,
    statement: text,
    biography: z
      .array(longText)
      .min(1, 'expected at least one paragraph')
      .meta({ description: 'One paragraph each. [{employer1}] is a link to that employer.' }),
    portraitAlt: text.meta({ title: 'Description of the portrait', description: 'For people who can’t see it.' }),
    stats: z
      .array(z.strictObject({ figure: text, label: text }).meta({ title: 'Figure' }))
      .min(3, 'expected three or four figures')
      .max(4, 'expected three or four figures')
      .meta({ title: 'Figures' }),
  }),
  testimonials: z
    .array(z.strictObject({ quote: longText, name: text, role: text, company: text }).meta({ title: 'Testimonial' }))
    .max(3, 'expected at most three testimonials')
    .default([]),
  earlySignUp: signUpSchema,
  contact: z.strictObject({
    heading: text,
    text: longText,
    book: text.meta({ title: 'Button that books a call' }),
    message: text.meta({ title: 'Button that writes to you' }),
    /** A line for people who may want to change jobs: a link that opens an email with its own subject. */
    candidates: z
      .strictObject({ text, subject: text.meta({ title: 'Subject of their email' }) })
      .meta({ title: 'Line for people who may want to move' })
      .optional(),
  }),
  footerSignUp: signUpSchema,
});

export const faqSchema = z.strictObject({
  heading: text,
  items: z
    .array(z.strictObject({ question: text, answer: longText }).meta({ title: 'Question' }))
    .min(1, 'expected at least one question')
    .meta({ title: 'Questions', description: 'In their order on the page. Search engines get the same text.' }),
});

/** The front matter of a Markdown page. */
export const markdownPageSchema = z.strictObject({
  heading: text,
  title: text.meta({ title: 'Title', description: 'Shown in the browser’s tab and as the title of a search result.' }),
  description: longText.meta({ title: 'Description', description: 'Shown below the title in a search result.' }),
  /** The label of the page's link in the footer; without it, there is no link. */
  footer: text.meta({ title: 'Link in the footer', description: 'Leave it empty for no link.' }).optional(),
  lastUpdated: z.string().regex(MONTH_AND_YEAR, 'expected an English month and a year, such as August 2025'),
});

const categorySchema = z.strictObject({ name: text, explanation: longText });
const openingsSchema = {
  text: longText,
  signal: longText.meta({ title: 'Text for a browser that asks not to be tracked' }),
  changed: longText.meta({ title: 'Text when the question has changed' }),
};

export const consentSchema = z.strictObject({
  banner: z.strictObject({
    title: text,
    ...openingsSchema,
    policy: text.meta({ title: 'Link to the privacy policy' }),
    showDetails: text,
    hideDetails: text,
    allowAll: text,
    allowSelection: text,
    denyNonEssential: text,
    close: text.meta({ description: 'What screen readers read out for the close button.' }),
    alwaysOn: text,
    nothingOptional: longText.meta({ title: 'When nothing is optional' }),
    nothingHere: text.meta({ title: 'In a category that nothing uses' }),
    chosen: z.strictObject({ all: text, essential: text, custom: text }).meta({ title: 'After choosing' }),
    withoutTags: z.strictObject({ ...openingsSchema, chosen: text }),
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
  paragraphs: z.array(longText.meta({ title: 'Paragraph' })).min(1, 'expected at least one paragraph'),
  button: text,
  reason: longText.meta({ title: 'Why they get it', description: 'In small print at the end.' }),
  unsubscribe: text.meta({ title: 'Link to unsubscribe' }),
});

export const mailsSchema = z.strictObject({
  welcome: mailSchema,
  confirmation: mailSchema,
  renewal: mailSchema,
  newAddress: mailSchema,
});

/** The front matter of an update in content/updates/. */
export const updateSchema = z.strictObject({
  subject: text,
  preview: text.max(PREVIEW_MAX_LENGTH, `expected at most ${PREVIEW_MAX_LENGTH} characters; inboxes show no more`),
  roles: z
    .array(z.enum(ROLES_OR_NONE, `expected one of ${ROLES.join(', ')}, or "" for people who gave no role`))
    .min(1, 'expected at least one role; leave roles out to write to everybody')
    .optional(),
});

export type Home = z.infer<typeof homeSchema>;
export type Faq = z.infer<typeof faqSchema>;
export type MailCopy = z.infer<typeof mailSchema>;
export type UpdateFrontMatter = z.infer<typeof updateSchema>;
export type SignUpCopy = z.infer<typeof signUpSchema>;

/** A Markdown page: its front matter, and its sections as HTML generated only from Markdown. */
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
  consent: z.infer<typeof consentSchema>;
  mail: z.infer<typeof mailsSchema>;
  pages: z.infer<typeof pagesSchema>;
  privacyPolicy: MarkdownContent;
  /** The pages of content/pages/, in the order of their names. */
  markdownPages: MarkdownContent[];
};
