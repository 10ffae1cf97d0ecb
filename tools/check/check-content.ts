import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Agency } from '#shared/content-schema.ts';
import { MARK_FILES } from '../build/mark.ts';
import { PORTRAIT_FILES } from '../build/pictures-plugin.ts';
import { contentFiles } from '../content/read-content.ts';
import { checkVisitsParagraph } from './check-visits-paragraph.ts';
import { checkTexts } from './demonstration-texts.ts';
import type { Finding } from './finding.ts';
import { textsOf } from './texts-of.ts';

/**
 * What the demonstration calls itself and stands in with: its names and address, names that can never be anyone's
 * (RFC 2606), a number of no company, and what it says of its drawn portrait.
 */
const DEMONSTRATION =
  /[\w.@-]*\.example\b|\b0{8}\b|Larkfield(?: Talent)?(?: Ltd)?|Rowan Lark|Northgate Software|Meridian Cloud|1 Example Street|EC1A 1AA|drawn in dots/g;

/**
 * What is left of the demonstration in the content folder, and what the policy says of visits.
 * @param folder absolute path of content/
 * @param variables the environment of launch-check, which is to be that of the site
 */
export function checkContent(folder: string, variables: Record<string, string | undefined>): Finding[] {
  const named = (file: string) => relative(process.cwd(), join(folder, file));
  const updates = existsSync(join(folder, 'updates')) ? readdirSync(join(folder, 'updates')) : [];
  const leftovers = [...contentFiles(folder), ...updates.map((file) => `updates/${file}`)].flatMap((file) =>
    leftoversIn(file, readFileSync(join(folder, file), 'utf8')).map(({ line, column, field, words }) => ({
      where: `${named(file)}:${line}:${column}${field && ` ${field}`}`,
      problem: `"${words}" is the demonstration's`,
      advice: 'Put your own in its place.',
    })),
  );
  return [
    ...leftovers,
    ...checkTexts(folder, named),
    ...checkVisitsParagraph(folder, named, variables),
    ...missingPicture(folder, PORTRAIT_FILES, {
      where: named('portrait.jpg'),
      problem: 'the drawn portrait stands in for a photograph',
      advice: `Put a photograph there (${PORTRAIT_FILES.join(', ')}), and describe it in home.yaml under founder.portraitAlt.`,
    }),
    ...missingPicture(folder, MARK_FILES, {
      where: named('mark.svg'),
      problem: "the demonstration's mark stands in the header, the icons and the share images",
      advice: 'Put yours there as mark.svg, or as mark.png of at least 512 pixels.',
    }),
  ];
}

/**
 * What the owner sets where the site runs, and how it goes with the content.
 * @param variables the environment of launch-check, which is to be that of the site
 */
export function checkSettings(agency: Agency, variables: Record<string, string | undefined>): Finding[] {
  const findings: Finding[] = [];
  if (!variables.NEWSLETTER_ENDPOINT && !variables.SMTP_URL) {
    findings.push({
      where: 'SMTP_URL',
      problem: 'no mail server is set, so welcome mails would be written to files and reach nobody',
      advice: 'Set it where the site runs, and give it to this command too: SMTP_URL=smtps://… npm run launch-check',
    });
  }
  const domain = agency.email.split('@')[1]!.toLowerCase();
  const host = new URL(agency.website).hostname.replace(/^www\./, '');
  if (domain !== host && !host.endsWith(`.${domain}`) && !domain.endsWith(`.${host}`)) {
    findings.push({
      where: 'content/agency.yaml email',
      problem: `mails would be sent from ${domain}, while the site is ${host}: many mailboxes refuse or hide such mails`,
      advice: `Use an address of ${host}, then run npm run updates -- check, which reads its SPF, DKIM and DMARC records.`,
    });
  }
  return findings;
}

type Leftover = { line: number; column: number; field: string; words: string };

function leftoversIn(file: string, source: string): Leftover[] {
  if (!file.endsWith('.yaml')) {
    return source.split('\n').flatMap((text, index) =>
      [...text.matchAll(DEMONSTRATION)].map((match) => ({
        line: index + 1,
        column: match.index + 1,
        field: '',
        words: match[0],
      })),
    );
  }
  return textsOf(source).flatMap(({ text, field, line, column, offset }) =>
    [...text.matchAll(DEMONSTRATION)].map(([words]) => {
      const place = source.indexOf(words, offset);
      const isOnLine = place !== -1 && !source.slice(offset, place).includes('\n');
      return { line, column: isOnLine ? column + place - offset : column, field, words };
    }),
  );
}

function missingPicture(folder: string, files: string[], finding: Finding): Finding[] {
  return files.some((file) => existsSync(join(folder, file))) ? [] : [finding];
}
