import type { Agency } from '#content/schemas/agency-schema.ts';
import type { BreadcrumbList, EmploymentAgency, FAQPage, Graph, Thing, WebSite } from 'schema-dts';
import type { Faq, MarkdownContent } from '#content/schemas/content-schema.ts';

/** A node of a page's graph. */
export type Node = Exclude<Thing, string>;

/**
 * A page's structured data: the agency, its site, and what the page adds.
 * @param origin of the public site
 */
export function structuredData(agency: Agency, origin: string, ofPage?: (origin: string) => Node[]): Graph {
  return {
    '@context': 'https://schema.org',
    '@graph': [describeAgency(agency, origin), describeSite(agency, origin), ...(ofPage?.(origin) ?? [])],
  };
}

/** The questions and answers as the page shows them. */
export function questions(origin: string, { items }: Faq): FAQPage {
  return {
    '@type': 'FAQPage',
    '@id': `${origin}/#faq`,
    isPartOf: { '@id': `${origin}/#website` },
    mainEntity: items.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

/** The breadcrumb from the home page. */
export function breadcrumb(origin: string, { heading, path }: MarkdownContent): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Home', item: `${origin}/` },
      { '@type': 'ListItem', position: 2, name: heading, item: origin + path },
    ],
  };
}

function describeAgency(agency: Agency, origin: string): EmploymentAgency {
  const { registration, registeredOffice, founder } = agency;
  return {
    '@type': 'EmploymentAgency',
    '@id': `${origin}/#agency`,
    name: agency.name,
    legalName: agency.legalName,
    description: agency.descriptor,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
    image: `${origin}/icon-512.png`,
    email: agency.email,
    ...(agency.telephone !== undefined && { telephone: agency.telephone }),
    address: {
      '@type': 'PostalAddress',
      streetAddress: registeredOffice.street,
      addressLocality: registeredOffice.city,
      postalCode: registeredOffice.postcode,
      addressCountry: registeredOffice.country,
    },
    ...(registration && {
      identifier: {
        '@type': 'PropertyValue',
        propertyID: `Company number, ${registration.place}`,
        value: registration.number,
      },
    }),
    ...(agency.otherOffices.length > 0 && {
      location: [agency.location, ...agency.otherOffices].map(({ label, map }) => ({
        '@type': 'Place',
        name: label,
        hasMap: map,
      })),
    }),
    areaServed: agency.areaServed,
    ...(agency.profiles.length > 0 && { sameAs: agency.profiles }),
    founder: {
      '@type': 'Person',
      name: founder.name,
      jobTitle: founder.jobTitle,
      sameAs: founder.profile,
    },
  };
}

function describeSite({ name, language }: Agency, origin: string): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name,
    url: `${origin}/`,
    inLanguage: language,
    publisher: { '@id': `${origin}/#agency` },
  };
}
