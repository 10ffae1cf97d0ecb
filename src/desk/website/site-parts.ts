import { describeForm, type FileName, type FormField } from './describe-form.ts';

/** A part of the site that has a page of its own on the desk. */
export type SitePart = { id: string; group: string; title: string; file: FileName; paths: string[] };

/** A field of a part, which is kept, compared and put back as a whole. @property key such as `home.hero.headline` */
export type PartField = { key: string; file: FileName; path: string[]; heading?: string; field: FormField };

/** Every part, in the order of its page. `paths` are the fields of the file, and groups whose fields are meant. */
const GROUPS: Record<string, [id: string, title: string, file: FileName, ...paths: string[]][]> = {
  'Home page': [
    ['first-screen', 'First screen', 'home', 'hero'],
    ['why-you', 'Why you', 'home', 'intro'],
    ['focus', 'Where you focus', 'home', 'focus'],
    ['search', 'How a search runs', 'home', 'process'],
    ['founder', 'Founder', 'home', 'founder'],
    ['proof', 'Clients and results', 'home', 'clients', 'placements', 'testimonials'],
    ['questions', 'Questions', 'faq', 'heading', 'items'],
    ['contact', 'Contact', 'home', 'contact'],
    ['sign-ups', 'Sign-up forms', 'home', 'earlySignUp', 'footerSignUp'],
    ['search-engines', 'In search results', 'home', 'title', 'description'],
  ],
  Facts: [
    ['name', 'Name and lines', 'agency', 'name', 'legalName', 'descriptor', 'tagline', 'bottomLine'],
    [
      'addresses',
      'Addresses and offices',
      'agency',
      'telephone',
      'email',
      'website',
      'calendar',
      'location',
      'otherOffices',
      'profiles',
      'areaServed',
    ],
    ['register', 'Company register', 'agency', 'registration', 'registeredOffice'],
    ['you', 'You and former employers', 'agency', 'founder'],
    ['data-protection', 'Data protection', 'agency', 'dataProtection'],
  ],
  'Emails and pages': [
    ['welcome', 'Welcome email', 'mail', 'welcome'],
    ['confirmation', 'Confirmation email', 'mail', 'confirmation'],
    ['cookie-banner', 'Cookie banner', 'consent', 'banner'],
    ['cookie-table', 'Table of cookies', 'consent', 'table', 'ownStorage'],
    ['menu', 'Menu and links', 'pages', 'labels'],
    [
      'small-pages',
      'Small pages',
      'pages',
      'notFound',
      'error',
      'backHome',
      'tryAgain',
      'unsubscribe',
      'unsubscribed',
      'confirm',
      'confirmed',
      'badLink',
    ],
  ],
  Look: [
    ['colours', 'Colours', 'brand', 'brand', 'light', 'dark'],
    ['fonts', 'Fonts and pictures', 'brand', 'fonts', 'nameBesideMark', 'portrait'],
  ],
};

export const SITE_PARTS: SitePart[] = Object.entries(GROUPS).flatMap(([group, parts]) =>
  parts.map(([id, title, file, ...paths]) => ({ id, group, title, file, paths })),
);

/** The fields of a part; a group's fields have its label as their heading, if the part has more than this group. */
export function listFields({ file, paths }: SitePart): PartField[] {
  const form = describeForm(file);
  return paths.flatMap((name) => {
    const field = form.fields.find((each) => each.name === name)!;
    return flatten(file, [name], field, paths.length === 1 ? undefined : field.label);
  });
}

function flatten(file: FileName, path: string[], field: FormField, heading: string | undefined): PartField[] {
  // A group that may be left out, such as the company's registration, is written as a whole.
  if (field.kind !== 'group' || (field.isOptional && field.fields.some((each) => !each.isOptional))) {
    return [
      {
        key: [file, ...path].join('.'),
        file,
        path,
        field,
        ...(heading && field.kind !== 'group' && path.length > 1 && { heading }),
      },
    ];
  }
  return field.fields.flatMap((each) => {
    const isGroup = each.kind === 'group';
    return flatten(file, [...path, each.name], each, isGroup ? each.label : heading);
  });
}
