import type { Agency } from '#content/schemas/agency-schema.ts';

/**
 * Names the company behind the site and its emails, as the law requires.
 * Sources: Company, Limited Liability Partnership and Business (Names and Trading Disclosures) Regulations 2015,
 * regulations 24 and 25; for a sole trader who trades under another name, Companies Act 2006, section 1202.
 */
export function formatCompany(agency: Agency): string {
  return listCompanyDetails(agency).join(', ');
}

/** Lists the details that `formatCompany` joins, for places where lines may break only between them. */
export function listCompanyDetails({ name, legalName, registration }: Agency): string[] {
  if (registration) return [legalName, `registered in ${registration.place}`, `no. ${registration.number}`];
  return legalName === name ? [legalName] : [legalName, `trading as ${name}`];
}

/** Formats the postal address, which the law requires, on one line. */
export function formatAddress({ registeredOffice: { street, city, postcode } }: Agency): string {
  return `${street}, ${city} ${postcode}`;
}

/** Returns the URL of a link that dials a telephone number. */
export function toTelephoneUrl(telephone: string): string {
  return `tel:${telephone.replaceAll(/[^+\d]/g, '')}`;
}

/** Formats a telephone number for a page, so that no line breaks within it. */
export function formatTelephone(telephone: string): string {
  return telephone.replaceAll(' ', '\u00a0');
}
