import Validator from '@adobe/structured-data-validator';
import { describe, expect, test } from 'vitest';
import { listIndexedPages, PUBLIC_SITE, PUBLIC_URL } from '../built-sites.ts';
import { content } from '../test-content.ts';
import { readBuiltPage } from './read-built-page.ts';

type Node = { '@type': string; [property: string]: unknown };

describe('the structured data of a site', () => {
  test.each(listIndexedPages(PUBLIC_SITE))('has no validator issues on $path', async ({ file }) => {
    expect(await findings(readGraph(file))).toEqual([]);
  });

  test('identifies the agency and the kind of page', () => {
    const types = (file: string) => readGraph(file).map((node) => node['@type']);
    expect(types('index.html')).toEqual(['EmploymentAgency', 'WebSite', 'FAQPage']);
    expect(types('privacy-policy.html')).toEqual(['EmploymentAgency', 'WebSite', 'BreadcrumbList']);
    expect(readBuiltPage(PUBLIC_SITE, '404.html').querySelector('script[type="application/ld+json"]')).toBeNull();
  });

  test('the questions and answers are the visible text', () => {
    const page = readBuiltPage(PUBLIC_SITE, 'index.html');
    const seen = [...page.querySelectorAll('#faq details')].map((item) => [
      item.querySelector('summary')!.textContent,
      item.querySelector('summary ~ *')!.textContent,
    ]);
    const faq = readGraph('index.html').find((node) => node['@type'] === 'FAQPage')!;
    expect(seen.length).toBeGreaterThan(0);
    expect(faq.mainEntity).toEqual(
      seen.map(([name, text]) => ({ '@type': 'Question', name, acceptedAnswer: { '@type': 'Answer', text } })),
    );
  });

  test('resolves every reference within the graph', () => {
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
    name: content.agency.name,
    legalName: 'Quill & Harbour Search Limited',
    description: content.agency.descriptor,
    logo: `${PUBLIC_URL}/icon-512.png`,
    email: content.agency.email,
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

function readGraph(file: string): Node[] {
  const [script, another] = readBuiltPage(PUBLIC_SITE, file).querySelectorAll('script[type="application/ld+json"]');
  expect(another).toBeUndefined();
  const { '@context': context, '@graph': graph } = JSON.parse(script!.textContent);
  expect(context).toBe('https://schema.org');
  return graph;
}

/** The types that Google shows. Unknown properties fail the type check (schema-dts). */
async function findings(graph: Node[]): Promise<string[]> {
  const byType = Object.fromEntries(graph.map((node) => [node['@type'], [structuredClone(node)]]));
  const issues = await new Validator().validate({ jsonld: byType, microdata: {}, rdfa: {}, errors: [] });
  return issues.map(({ issueMessage }) => issueMessage);
}
