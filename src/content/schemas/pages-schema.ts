/** The shape of content/pages.yaml: labels, status pages and redirects. */
import { z } from 'zod';
import { normalizeUrlPath } from '../url-path.ts';
import { longText, text } from './content-fields.ts';

const pageSchema = z.strictObject({ title: text, text: longText });
const buttonPageSchema = z.strictObject({ title: text, text: longText, button: text });

/** Navigation and buttons of every page, with the specification's labels unless the agency has its own. */
const labelsSchema = z.strictObject({
  skip: text.default('Skip to content'),
  home: text.default('Home'),
  menu: text.default('Menu'),
  focus: text.default('Focus'),
  process: text.default('Process'),
  founder: text.default('Founder'),
  faq: text.default('FAQ'),
  contact: text.default('Contact'),
  join: text.default('Join the List'),
  privacyPolicy: text.default('Privacy Policy'),
  requestTerms: text.default('Request Terms'),
  cookieSettings: text.default('Cookie Settings'),
});

/** A redirect from a path of the agency's earlier site. */
const redirectSchema = z.strictObject({
  from: z
    .string()
    .regex(/^\/[^\s?#*:]+$/, 'expected the old path, such as /about-us, without the domain and without : ? # or *')
    .regex(/^([^%]|%[0-9a-f]{2})*$/i, 'expected %25 in place of each %')
    .overwrite(normalizeUrlPath)
    .meta({ title: 'Old path' }),
  to: z
    .string()
    .regex(/^(\/(?!\/)|https:\/\/[^/])\S*$/, 'expected a path of this site, such as /#founder, or https://…')
    // Parts that are already encoded are left unchanged.
    .overwrite((url) => encodeURI(url).replaceAll('%25', '%'))
    .meta({ title: 'Leads to' }),
});

export const pagesSchema = z.strictObject({
  labels: labelsSchema.prefault({}),
  notFound: pageSchema.meta({ title: 'No such page' }),
  error: pageSchema.meta({ title: 'Something failed' }),
  backHome: text.meta({ title: 'Button that leads home' }),
  tryAgain: text.meta({ title: 'Heading when a sign-up failed' }),
  unsubscribe: buttonPageSchema.meta({ title: 'Before unsubscribing' }),
  unsubscribed: pageSchema.meta({ title: 'After unsubscribing' }),
  resubscribe: buttonPageSchema.meta({ title: 'Undoing an unsubscription' }),
  confirm: buttonPageSchema.meta({ title: 'Before confirming' }),
  confirmed: pageSchema.meta({ title: 'After confirming' }),
  renew: buttonPageSchema.meta({ title: 'Before staying on the list' }),
  renewed: pageSchema.meta({ title: 'After staying on the list' }),
  newAddress: buttonPageSchema.meta({ title: 'Before moving to a new address' }),
  addressChanged: pageSchema.meta({ title: 'After moving to a new address' }),
  badLink: pageSchema.meta({ title: 'A link that does not work' }),
  redirects: z
    .array(redirectSchema)
    .default([])
    .meta({ title: 'Old addresses', description: 'URLs of your earlier site, so that links to them still work.' }),
});

export type Redirect = z.infer<typeof redirectSchema>;
