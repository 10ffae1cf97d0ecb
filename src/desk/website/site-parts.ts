import { describeForm, describePage, type FormField, type YamlName } from './describe-form.ts';
import { PAGE_PREFIX, PICTURE_SOURCE } from '#content/overlay.ts';
import { PICTURES, type SourceName } from '#content/source-files.ts';
import { nameForm } from '#shared/sign-up-rules.ts';

/** A part of the site that has its own page on the desk. @property file its file, if it is a Markdown page */
export type SitePart = {
  id: string;
  group: string;
  title: string;
  fields: PartField[];
  shown: Preview;
  file?: SourceName;
};

/** The subject of a preview: a page of the site, with a place in it, or an email. */
export type Preview =
  | { path: string; place?: string }
  | { mail: 'welcome' | 'confirmation' | 'renewal' | 'newAddress' };

/** A field that the draft stores, compares and reverts as a whole. @property key such as `home.hero.headline` */
export type PartField = { key: string; file: SourceName; path: string[]; heading?: string; field: FormField };

/** The key of the field that says whether a page exists; with an empty name, the source of all these fields. */
export function toPageKey(name: SourceName): string {
  return PAGE_PREFIX + name;
}

/** The group in which Markdown pages are listed and added. */
export const PAGES_GROUP = 'Emails and pages';

type PartRow = [id: string, title: string, shown: Preview, file: YamlName, names: string];

const ADDRESSES = 'telephone email website calendar location otherOffices profiles areaServed';
const LINK_PAGES =
  'unsubscribe unsubscribed resubscribe confirm confirmed renew renewed newAddress addressChanged badLink';
const SYSTEM_PAGES = `notFound error backHome tryAgain ${LINK_PAGES}`;

const home = (place?: string): Preview => ({ path: '/', ...(place && { place }) });

/** Every part except Markdown pages, in order. `names` are fields of the file; naming a group adds all its fields. */
const GROUPS: Record<string, PartRow[]> = {
  'Home page': [
    ['first-screen', 'First screen', home(), 'home', 'hero'],
    ['why-you', 'Why you', home('intro'), 'home', 'intro'],
    ['focus', 'Where you focus', home('focus'), 'home', 'focus'],
    ['search', 'How a search runs', home('process'), 'home', 'process'],
    ['founder', 'Founder', home('founder'), 'home', 'founder'],
    ['proof', 'Clients and results', home('intro'), 'home', 'clients placements testimonials'],
    ['questions', 'FAQ', home('faq'), 'faq', 'heading items'],
    ['contact', 'Contact', home('contact'), 'home', 'contact'],
    ['sign-ups', 'Sign-up forms', home(`${nameForm('Founder')}-heading`), 'home', 'earlySignUp footerSignUp'],
    ['search-engines', 'In search results', home(), 'home', 'title description'],
  ],
  Facts: [
    ['name', 'Name and taglines', home(), 'agency', 'name legalName descriptor tagline bottomLine language'],
    ['addresses', 'Addresses and offices', home('contact'), 'agency', ADDRESSES],
    ['register', 'Company register', home('contact'), 'agency', 'registration registeredOffice'],
    ['you', 'You and former employers', home('founder'), 'agency', 'founder'],
    ['verification', 'Proof for search engines', home(), 'agency', 'verification'],
    ['data-protection', 'Data protection', { path: '/privacy-policy' }, 'agency', 'dataProtection'],
  ],
  [PAGES_GROUP]: [
    ['welcome', 'Welcome email', { mail: 'welcome' }, 'mail', 'welcome'],
    ['confirmation', 'Confirmation email', { mail: 'confirmation' }, 'mail', 'confirmation'],
    ['renewal', 'Email asking whether they still want updates', { mail: 'renewal' }, 'mail', 'renewal'],
    ['new-address', 'Email to a new address', { mail: 'newAddress' }, 'mail', 'newAddress'],
    ['cookie-banner', 'Cookie banner', home('ask-first'), 'consent', 'banner'],
    ['cookie-table', 'Table of cookies', { path: '/privacy-policy', place: 'cookies' }, 'consent', 'table ownStorage'],
    ['tags', 'Third-party tools', home('ask-first'), 'agency', 'tags'],
    ['menu', 'Menu and links', home(), 'pages', 'labels redirects'],
    ['small-pages', 'System pages', { path: '/404' }, 'pages', SYSTEM_PAGES],
  ],
  Look: [
    ['colours', 'Colours', home(), 'brand', 'brand'],
    ['fonts', 'Fonts', home(), 'brand', 'fonts'],
    ['pictures', 'Pictures', home('founder'), 'brand', 'portrait nameBesideMark'],
  ],
};

/** @param pages the pages in Markdown, such as `pages/terms` */
export function listParts(pages: SourceName[]): SitePart[] {
  return Object.entries(GROUPS).flatMap(([group, rows]) => [
    ...rows.map(([id, title, shown, file, names]): SitePart => {
      const fields = [...(id === 'pictures' ? PICTURE_FIELDS : []), ...listFields(file, names.split(' '))];
      return { id, group, title, fields, shown };
    }),
    ...(group === PAGES_GROUP ? pages.map(describePagePart) : []),
  ]);
}

/**
 * Finds the form of a field, or of a place in it such as `faq.items.2.answer`.
 * @returns its URL, and its label on the desk; undefined if it has none
 */
export function findForm(parts: SitePart[], place: string): { url: string; label: string } | undefined {
  for (const { id, title, fields } of parts) {
    const found = fields.find(({ key }) => place === key || place.startsWith(`${key}.`));
    if (found === undefined) continue;
    const { label } = found.field;
    return { url: `/desk/website/${id}#${found.key}`, label: label === title ? title : `${title} · ${label}` };
  }
  return undefined;
}

const PICTURE_FIELDS: PartField[] = Object.keys(PICTURES).map((name) => ({
  key: `${PICTURE_SOURCE}.${name}`,
  file: PICTURE_SOURCE,
  path: [name],
  field: {
    name,
    label: name === 'mark' ? 'Your mark' : 'Your portrait',
    isOptional: true,
    kind: 'picture',
    initial: '',
  },
}));

function describePagePart(file: SourceName): SitePart {
  const name = file.replace('pages/', '');
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  const fields = describePage().fields.map((field) => ({
    key: `${file}.${field.name}`,
    file,
    path: [field.name],
    field,
  }));
  const page = { name: file, label: 'The page', isOptional: true, kind: 'page' as const };
  const isThere: PartField = { key: toPageKey(file), file: toPageKey(''), path: [file], field: page };
  const isPolicy = name === file;
  return {
    id: file,
    group: PAGES_GROUP,
    title,
    fields: isPolicy ? fields : [isThere, ...fields],
    shown: { path: `/${name}` },
    file,
  };
}

/** Lists a part's fields. A group's fields have its label as their heading, if the part has more than this group. */
function listFields(file: YamlName, paths: string[]): PartField[] {
  const form = describeForm(file);
  return paths.flatMap((name) => {
    const field = form.fields.find((each) => each.name === name)!;
    return flatten(file, [name], field, paths.length === 1 ? undefined : field.label);
  });
}

function flatten(file: YamlName, path: string[], field: FormField, heading: string | undefined): PartField[] {
  const key = [file, ...path].join('.');
  // An optional group, such as the company's registration, is written as a whole.
  if (field.kind !== 'group' || (field.isOptional && field.fields.some((each) => !each.isOptional))) {
    return [{ key, file, path, field, ...(heading && field.kind !== 'group' && path.length > 1 && { heading }) }];
  }
  return field.fields.flatMap((each) => {
    const isGroup = each.kind === 'group';
    return flatten(file, [...path, each.name], each, isGroup ? each.label : heading);
  });
}
