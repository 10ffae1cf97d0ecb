import { expect, test } from 'vitest';
import type { Rule } from './hosting-files.ts';
import { nginxFiles } from './nginx-files.ts';

const rule = (path: string): Rule => ({ path, headers: { 'Cache-Control': 'no-cache' } });
const files = nginxFiles({
  everywhere: {},
  rules: [
    ...['/terms.pdf', '/pay.CSV', '/index.html', '/Our terms (1.pdf'].map(rule),
    { path: '/A brief.docx', headers: { 'Content-Type': 'application/word' } },
  ],
  siteUrl: 'https://www.quillharbour.test:8443',
  release: 'abc',
});

test('files of public/ have the types that the own server gives them', () => {
  const { 'release/server.conf': conf } = files;
  expect(conf).toContain('location ~* \\.csv$ { types {} default_type "text/csv; charset=utf-8"; }');
  expect(conf).toContain('location ~* \\.pdf$ { types {} default_type "application/pdf"; }');
  expect(conf).not.toContain('html$');
});

test('a name with spaces and signs is matched as browsers ask for it', () => {
  expect(files['release/http.conf']).toContain(String.raw`"~^/Our%20terms%20\(1\.pdf(\?|$)" "no-cache";`);
});

test('a type that no ending tells is set for the one file', () => {
  const { 'release/server.conf': conf } = files;
  expect(conf).toContain('location = "/A brief.docx" { types {} default_type "application/word"; }');
});

test('the name of the server has no port', () => {
  expect(files['site.conf']).toContain('server_name www.quillharbour.test;');
});
