import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_FILE } from '#content/read-markdown-page.ts';
import { nameFile } from '#content/read-content.ts';
import { type Finding, reportIf } from './finding.ts';

/**
 * Checks that the policy says that visits are counted where they are, and only there. The owner may rewrite the
 * paragraph: it is found by a word for counting and the name of the signal with which a browser objects.
 * @param folder absolute path of content/
 * @param variables the environment of launch-check, which is to be that of the site
 */
export function checkVisitsParagraph(folder: string, variables: Record<string, string | undefined>): Finding[] {
  const policy = readFileSync(join(folder, POLICY_FILE), 'utf8');
  const paragraph = policy.split(/\n\s*\n/).find((words) => OBJECTION.test(words) && COUNTED.test(words));
  const isOff = variables.COUNT_VISITS?.trim() === 'false';
  const isForFiles = Boolean(variables.NEWSLETTER_ENDPOINT);
  if (paragraph === undefined) {
    const advice =
      'Put the paragraph of the original project back under Cookies. In words of your own it must say what is counted ' +
      'and name Global Privacy Control, by which a visitor objects. ' +
      'Or set COUNT_VISITS=false, for the site and for this command.';
    const problem = 'visits are counted, and no paragraph says so';
    return reportIf(!isOff && !isForFiles, nameFile(folder, POLICY_FILE), problem, advice);
  }
  const where = `${nameFile(folder, POLICY_FILE)}:${policy.slice(0, policy.indexOf(paragraph)).split('\n').length}`;
  const says = 'this paragraph says that visits are counted';
  if (isOff) {
    const advice = 'Take the paragraph out, or take COUNT_VISITS=false away.';
    return [{ where, problem: `${says}, and COUNT_VISITS=false ends the counting`, advice }];
  }
  const advice = 'Take the paragraph out, unless npm start or Docker serves your pages.';
  const findings = reportIf(isForFiles, where, `${says}, and a host for files alone counts none`, advice);
  return findings.map((finding) => ({ ...finding, mayStay: true }));
}

const OBJECTION = /Global\s+Privacy\s+Control|Do\s+Not\s+Track/i;
const COUNTED = /\bcount(s|ed|ing)?\b/i;
