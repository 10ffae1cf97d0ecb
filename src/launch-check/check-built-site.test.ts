import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { content } from '../../test/test-content.ts';
import { checkBuiltSite } from './check-built-site.ts';

const registration = { number: 'SC123456', place: 'Scotland' };
const agency = { ...content.agency, registration };
const { legalName, registeredOffice } = agency;

let build: string;

beforeEach(() => {
  build = makeFolder();
  const documents = ['index.html', 'notice.html', '404.html'];
  writeFileSync(join(build, 'content.json'), JSON.stringify({ documents }));
  write('index.html', page());
  write('notice.html', page());
  write('404.html', page());
});

test('finds nothing in a correct site', () => {
  expect(checkBuiltSite(build, agency)).toEqual([]);
});

test.each([
  ['its registered name', page().replaceAll(legalName, ''), 'the company’s registered name'],
  ['its number', page().replaceAll(registration.number, ''), 'the company’s number'],
  ['its place of registration', page().replaceAll(registration.place, ''), 'the part of the UK in which'],
  ['its registered office', page().replaceAll(registeredOffice.street, ''), 'the address of the registered office'],
])('reports a page without %s with its path, the problem and advice', (_, markup, problem) => {
  write('notice.html', markup);
  expect(checkBuiltSite(build, agency)).toEqual([one('/notice', problem)]);
});

test('reports a privacy policy that doesn’t say how to complain', () => {
  for (const file of ['index.html', 'notice.html', '404.html']) {
    write(file, readFileSync(join(build, 'site', file), 'utf8').replace(agency.dataProtection.regulator.url, '/'));
  }
  expect(checkBuiltSite(build, agency)).toMatchObject([one('content/privacy-policy.md', 'how to complain')]);
});

function one(where: string, problem: string): object {
  return { where, problem: expect.stringContaining(problem), advice: expect.stringMatching(/\w+/) };
}

function page(): string {
  return `<!doctype html><html><head><title>A title</title></head>
    <body id="top"><main><a href="${agency.dataProtection.regulator.url}">Complain</a></main>
    <footer>${legalName} ${registration.number} ${registration.place} ${Object.values(registeredOffice).join(' ')}</footer></body></html>`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(build, 'site', file)), { recursive: true });
  writeFileSync(join(build, 'site', file), text);
}
