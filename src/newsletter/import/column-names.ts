import { OPTIONAL_FIELD_NAMES, OPTIONAL_FIELDS, type OptionalField } from '#shared/sign-up-fields.ts';

/**
 * The meanings of columns in other tools' files, as data. The names are those of the exports of Mailchimp, MailerLite,
 * Brevo, Kit, beehiiv, Substack, Ghost, listmonk, Keila, Buttondown, Campaign Monitor, Constant Contact,
 * ActiveCampaign, HubSpot, Pipedrive, Salesforce, Zoho, Google, Outlook, LinkedIn, and of our own.
 */

/** The meaning of a column's values. */
export type Meaning =
  | 'email'
  | 'consent given'
  | 'confirmed'
  | 'signed up'
  | 'consent wording'
  | 'first source'
  | 'form'
  | 'consent evidence'
  | 'updates received'
  | 'former mailboxes'
  | OptionalField
  | 'status'
  | 'agreed'
  | 'left';

/** Describes each meaning, for the dry run. */
export const MEANINGS: Record<Meaning, string> = {
  email: 'the email address',
  'consent given': 'when they agreed',
  confirmed: 'when they confirmed',
  'signed up': 'when they signed up',
  'consent wording': 'the sentence they agreed to',
  'first source': 'where they signed up',
  form: 'the form',
  'consent evidence': 'the evidence of consent',
  'updates received': 'which of your updates they have received',
  'former mailboxes': 'addresses that they have moved from, as hashes',
  ...ofFields((name) => OPTIONAL_FIELDS[name].label.toLowerCase()),
  status: 'whether they are subscribed',
  agreed: 'whether, or when, they agreed',
  left: 'people with a value here are skipped',
};

/** Column names in their simplest spelling (`simplify`). Earlier names take precedence. */
export const COLUMN_NAMES: Partial<Record<Meaning, string[]>> = {
  'consent given': listWords(`
    consent given, consent date, date of consent, consented at, consent at, consent timestamp,
    optin time, optin date, optin at, opt in time, opt in date, opt in at, opted in at, subscribed at,
    subscribed on, subscribed date, date subscribed, subscription date, subscribe date, signup date,
    sign up date, signup time, sign up time, signed up at, signed up on, joined, joined at, join date,
    joined date, date joined, added time, creation date, created at, subscription created at,
    angemeldet am, anmeldedatum, eingetragen am, registriert, date d inscription, date inscription,
    aangemeld op, aanmelddatum, inschrijfdatum, fecha de alta, fecha de suscripcion, data di iscrizione
  `),
  confirmed: listWords(`
    confirmed, confirm time, confirmed at, confirmed on, confirmation date, confirmation time, aktiviert, bestatigt am
  `),
  'signed up': ['signed up'],
  'consent wording': ['consent wording', 'consent text'],
  'first source': ['first source', 'signup source', 'sign up source'],
  form: ['form'],
  'consent evidence': ['consent evidence'],
  'updates received': ['updates received'],
  'former mailboxes': ['former mailboxes'],
  ...ofFields((name) => [name]),
  status: listWords(`
    status, statut, email status, subscription status, email subscription status,
    permission status, email permission status, marketing status, email marketing status,
    marketing contact status, marketing subscription status, list status, opt in status, abonnement email
  `),
};

/** Names of the column with email addresses. If a file has several, we don't guess. */
export const EMAIL_NAMES = listWords(`
    email, email address, emailaddress, mail, mail address, email id, primary email, subscriber,
    email adresse, emailadresse, mailadresse, mail adresse, adresse email, adresse mail, courriel,
    adresse courriel, adresse de messagerie, correo electronico, indirizzo email, emailadres
  `);

/** Columns that hold email addresses if their cells say so: "E-mail 1 - Value", "Email - Work". */
export const MAY_HOLD_EMAILS = /mail|address|adresse|courriel/;
export const EMAIL_OF_ANOTHER =
  /owner|sales|rep|referr|assign|manager|sender|creat|modif|updat|assistant|account|reply/;

/** Columns that say that the person wants no email, if they contain anything but a no. */
export const OPTED_OUT_NAMES = [
  /\bunsub|\bopt(ed)? ?out|\babgemeldet|\babmelde|\bdesabonn|\bdesinscri|\bwithdrawn\b/,
  /\bwiderrufen|\bdisiscritt|\bafgemeld|\bcomplain|\bspam\b/,
  /\bdo ?not (email|mail|contact|market)|\bno (email|mail|marketing|newsletter)/,
];

/** Columns that mean "don't email this person" if they contain anything but a no. */
export const LEFT_NAMES = [
  ...OPTED_OUT_NAMES,
  /\bbounced?\b|\bbounces\b|\bundeliver|\bunreach|\bcleaned\b|\bclean time\b|\b(invalid email|email invalid)\b/,
  /\b(black|block) ?list|\bliste noire\b|\bgesperrt|\bdeaktiviert|\bdeactivated\b|\bgekundigt/,
  /\bblocked\b|\bsuppress|\bquarantine|\bdisabled\b/,
  /^(cancelled|canceled|deleted|removed)( at| on| date| time)?$/,
];

/** Columns that say yes, no, or when. */
export const AGREED_NAMES = [
  /\bsubscribed\b|\bopt(ed)? ?in\b|^angemeldet$|^abonne$/,
  /\b(accepts?|receives?|allows?|wants)\b.*\b(marketing|emails?|newsletters?)\b/,
  /\b(marketing|email|newsletter|gdpr|mailing) (consent|permission)\b|^consent$|^newsletter$/,
  /^(is )?(active|enabled|aktiv|actif|attivo|activo)$|\b(subscriber|user) confirmed$/,
];

/** Columns about something other than email, or not about the person. */
export const OTHER_THINGS = [
  /\b(sms|phone|mobile|whatsapp|calls?|fax|push|postal|direct mail)\b/,
  // Substack's: whether they have a paid subscription.
  /\b(active|paid|premium|stripe) subscription\b/,
  /\b(emails (sent|bounced|opened)|count|total|number|rate|link|url|hash|token|id|ip|template)\b/,
];

/**
 * Columns that other lists use for other things, such as a US state or the status of a sale. Such a column is read as a
 * status if most of its cells are known values.
 */
export const MAYBE_STATUS = /^type$|(^| )(state|status|statut|subscription|abonnement)$/;

/** Status values that mean subscribed; everybody with any other value is left out. */
export const IN_WORDS = new Set(
  listWords(`
    subscribed, active, enabled, confirmed, regular, premium, gifted, trialed, free, paid, express,
    explicit, opted in, opt in, optin, double, single, marketing contact, marketable, yes, true, 1,
    verified, annual, yearly, monthly, lifetime, annual subscriber, yearly subscriber, monthly subscriber,
    founding member, comp, comped, complimentary, gift, founding, author, trial, free trial,
    ja, wahr, oui, vrai, si, vero, waar, verdadero, aktiv, angemeldet, bestatigt, abonne, abonnee, actif, inscrit,
    inscrite, actief, aangemeld, ingeschreven, activo, suscrito, attivo, iscritto
  `),
);

/** Values that mean not subscribed. They also show that an ambiguous column, or one of yes and no, is a status. */
export const OUT_WORDS = new Set(
  listWords(`
    unsubscribed, unconfirmed, not confirmed, pending, bounced, complained, cleaned, blocklisted,
    blacklisted, blocked, disabled, inactive, cancelled, canceled, deleted, archived, unreachable,
    undeliverable, invalid, nonsubscribed, non subscribed, not subscribed, no consent, opted out,
    opt out, optout, awaiting confirmation, unactivated, removed, suppressed, spam, implied,
    never subscribed, hard bounce, hardbounce, soft bounce, softbounce, junk, non marketing contact, transactional,
    complaining, spammy, denied, rejected, declined, withdrawn,
    abgemeldet, ausgetragen, inaktiv, gesperrt, unbestatigt, nicht bestatigt, unzustellbar, geloscht,
    desabonne, desabonnee, desinscrit, desinscrite, non abonne, inactif, bloque, en attente, liste noire,
    afgemeld, uitgeschreven, niet actief, inactief, geblokkeerd, onbevestigd, baja, inactivo, bloqueado, pendiente,
    disiscritto, non iscritto, inattivo, bloccato
  `),
);

/** Values that say that the person wants no email. */
export const OPTED_OUT_WORDS = new Set(
  listWords(`
    unsubscribed, complained, complaining, spam, blocklisted, blacklisted, opted out, opt out, optout, withdrawn,
    do not email, do not contact, abgemeldet, ausgetragen, desabonne, desabonnee, desinscrit, desinscrite,
    liste noire, afgemeld, uitgeschreven, baja, disiscritto
  `),
);

/** Values that exclude somebody whatever the column is called, such as tags. */
export const CLEAR_OUT_WORDS = new Set(
  listWords(`
    unsubscribed, not subscribed, never subscribed, opted out, bounced, hard bounce, blocklisted,
    blacklisted, do not email, do not contact, abgemeldet, desabonne, desinscrit, afgemeld, uitgeschreven
  `),
);

/** Empty values, and values that mean no. */
export const BLANK_WORDS = new Set(['', 'null', 'none', 'nil', 'n a', 'not set']);
export const NO_WORDS = new Set([
  'no',
  'n',
  'false',
  'f',
  '0',
  'off',
  'never',
  'nein',
  'falsch',
  'non',
  'faux',
  'falso',
  'nee',
  'onwaar',
]);

/** Names of files in which nobody is subscribed: those of Mailchimp, Buttondown and ourselves. */
export const OUT_FILES =
  /^((non|un)subscribed|cleaned)_.*export|^unsubscribe|^(unsubscribed|pending|undeliverable)-\d/i;

/** Names of files in which everybody has unsubscribed. */
export const OPTED_OUT_FILES = /^unsubscribe/i;

/** @param text comma-separated names */
function listWords(text: string): string[] {
  return text.trim().split(/,\s+/);
}

function ofFields<T>(describe: (name: OptionalField) => T): Record<OptionalField, T> {
  return Object.fromEntries(OPTIONAL_FIELD_NAMES.map((name) => [name, describe(name)])) as Record<OptionalField, T>;
}

/**
 * Reduces a column name or a status value to its simplest spelling: `E-Mail Address`, `email_address` and
 * `emailAddress` all become `email address`.
 */
export function simplify(text: string): string {
  const words = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replaceAll(/\be mail/g, 'email');
  return words.replace(/^(person|contact|subscriber|member) (?=email|mail|status|state|type|marketing)/, '');
}

/** Separates tags that share a cell. */
export const SEPARATOR = /[,;|]/;

/** Lists a cell's values in their simplest spelling: several tags may share a cell. */
export function listValues(cell: string): string[] {
  return cell.split(SEPARATOR).map((value) => simplify(value));
}
