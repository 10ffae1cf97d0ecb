import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_FILE } from '#content/read-markdown-page.ts';
import { type Finding, reportIf } from './finding.ts';

/**
 * Whether the policy says that visits are counted where they are, and only there. The paragraph is known by what it
 * must hold whatever its other words: that something is counted, and a signal by which a browser objects.
 * @param folder absolute path of content/
 * @param nameFile how a file is named to the owner
 * @param variables the environment of launch-check, which is to be that of the site
 */
export function checkVisitsParagraph(
  folder: string,
  nameFile: (file: string) => string,
  variables: Record<string, string | undefined>,
): Finding[] {
  const { paragraph, cookies } = findPlaces(readFileSync(join(folder, POLICY_FILE), 'utf8'));
  const where = ({ line, heading }: Place) => `${nameFile(POLICY_FILE)}:${line} ${heading}`;
  const isOff = variables.COUNT_VISITS?.trim() === 'false';
  if (paragraph === undefined) {
    const advice =
      'Put the paragraph of the original project back. In words of your own it must say what is counted and name ' +
      'Global Privacy Control, by which a visitor objects. ' +
      'Or set COUNT_VISITS=false, for the site and for this command.';
    const isCounted = !isOff && !variables.NEWSLETTER_ENDPOINT;
    return reportIf(isCounted, where(cookies), 'visits are counted, and no paragraph says so', advice);
  }
  if (isOff) {
    const problem = 'this paragraph says that visits are counted, and COUNT_VISITS=false ends the counting';
    return [{ where: where(paragraph), problem, advice: 'Take the paragraph out, or take COUNT_VISITS=false away.' }];
  }
  const problem = 'this paragraph says that visits are counted, and a host for files alone counts none';
  const advice = 'Take the paragraph out, unless npm start or Docker serves your pages.';
  const findings = reportIf(Boolean(variables.NEWSLETTER_ENDPOINT), where(paragraph), problem, advice);
  return findings.map((finding) => ({ ...finding, mayStay: true }));
}

type Place = { line: number; heading: string };

/** The check of the content has seen to it that a section has the heading Cookies. */
function findPlaces(policy: string): { paragraph: Place | undefined; cookies: Place } {
  const lines = policy.split(/\r?\n/);
  const place = (index: number): Place => ({
    line: index + 1,
    heading: lines.slice(0, index + 1).findLast((line) => line.startsWith('## ')) ?? '',
  });
  const starts = lines.flatMap((line, index) => (line.trim() !== '' && !lines[index - 1]?.trim() ? [index] : []));
  const paragraph = starts.find((start, at) => {
    const words = lines.slice(start, starts[at + 1]).join(' ');
    return OBJECTION.test(words) && COUNTED.test(words);
  });
  const cookies = lines.findIndex((line) => /^## +cookies\W*$/i.test(line));
  return { paragraph: paragraph === undefined ? undefined : place(paragraph), cookies: place(cookies) };
}

const OBJECTION = /Global\s+Privacy\s+Control|Do\s+Not\s+Track/i;
const COUNTED = /\bcount(s|ed|ing)?\b/i;
