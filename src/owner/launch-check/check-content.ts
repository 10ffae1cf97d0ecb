import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Agency } from '#shared/content-schema.ts';
import { findPicture, MARK_FILES, PORTRAIT_FILES } from '#content/pictures.ts';
import { contentFiles, updateFiles } from '#content/read-content.ts';
import { checkVisitsParagraph } from './check-visits-paragraph.ts';
import { checkTexts } from './demonstration-texts.ts';
import { type Finding, findingIf } from './finding.ts';
import { textsOf } from './texts-of.ts';

/**
 * What the demonstration calls itself and stands in with: its names and address, names that can never be anyone's
 * (RFC 2606), a number of no company, and what it says of its drawn portrait. content/ cannot tell them: by then it is
 * the owner's.
 */
const DEMONSTRATION = new RegExp(
  [
    String.raw`[\w.@-]*\.example\b`,
    String.raw`\b0{8}\b`,
    'Larkfield(?: Talent)?(?: Ltd)?',
    'Rowan Lark',
    'Northgate Software',
    'Meridian Cloud',
    '1 Example Street',
    'EC1A 1AA',
    'drawn in dots',
  ].join('|'),
  'g',
);

/**
 * What is left of the demonstration in the content folder, and what the policy says of visits.
 * @param folder absolute path of content/
 * @param variables the environment of launch-check, which is to be that of the site
 */
export function checkContent(folder: string, variables: Record<string, string | undefined>): Finding[] {
  const named = (file: string) => relative(process.cwd(), join(folder, file));
  const leftovers = [...contentFiles(folder), ...updateFiles(folder)].flatMap((file) =>
    leftoversIn(file, readFileSync(join(folder, file), 'utf8')).map(({ line, column, field, words }) => ({
      where: `${named(file)}:${line}:${column}${field && ` ${field}`}`,
      problem: `"${words}" is the demonstration's`,
      advice: 'Put your own in its place.',
    })),
  );
  return [
    ...leftovers,
    ...checkTexts(folder, named),
    ...monthsToCome(folder, named),
    ...checkVisitsParagraph(folder, named, variables),
    ...missingPictures(folder, named),
  ];
}

/** Not a matter of the build, which must not depend on the clock. */
function monthsToCome(folder: string, named: (file: string) => string): Finding[] {
  return contentFiles(folder).flatMap((file) => {
    const source = file.endsWith('.md') ? readFileSync(join(folder, file), 'utf8') : '';
    const [before, month] = /^[^]*?^lastUpdated:\s*["']?(\w+ \d{4})/m.exec(source) ?? [];
    const hasCome = month === undefined || Date.parse(`1 ${month} UTC`) < Date.now() + DAY_MS;
    const line = before?.split('\n').length;
    const advice = 'Write the month in which you last changed this page.';
    return findingIf(!hasCome, `${named(file)}:${line} lastUpdated`, `${month} has not come yet`, advice);
  });
}

/** A month begins in the east a day before it does in the west. */
const DAY_MS = 24 * 60 * 60 * 1000;

function missingPictures(folder: string, named: (file: string) => string): Finding[] {
  const [hasPortrait, hasMark] = [PORTRAIT_FILES, MARK_FILES].map((files) => findPicture(folder, files) !== undefined);
  const portrait =
    `Put a photograph there (${PORTRAIT_FILES.join(', ')}), ` +
    'and describe it in home.yaml under founder.portraitAlt.';
  const mark = 'Put yours there as mark.svg, or as mark.png of at least 512 pixels.';
  const ofDemonstration = "the demonstration's mark stands in the header, the icons and the share images";
  return [
    ...findingIf(!hasPortrait, named('portrait.jpg'), 'the drawn portrait stands in for a photograph', portrait),
    ...findingIf(!hasMark, named('mark.svg'), ofDemonstration, mark),
  ];
}

/**
 * What the owner sets where the site runs, and how it goes with the content.
 * @param variables the environment of launch-check, which is to be that of the site
 */
export function checkSettings(agency: Agency, variables: Record<string, string | undefined>): Finding[] {
  const reachesNobody = !variables.NEWSLETTER_ENDPOINT && !variables.SMTP_URL;
  const noServer = 'no mail server is set, so welcome mails would be written to files and reach nobody';
  const example = 'SMTP_URL=smtps://… npm run launch-check';
  const setOne = `Set it where the site runs, and give it to this command too: ${example}`;
  const domain = agency.email.split('@')[1]!.toLowerCase();
  const host = new URL(agency.website).hostname.replace(/^www\./, '');
  const isForeign = domain !== host && !host.endsWith(`.${domain}`) && !domain.endsWith(`.${host}`);
  const foreign = `mails would be sent from ${domain}, while the site is ${host}`;
  const check = 'npm run updates -- check, which reads its SPF, DKIM and DMARC records.';
  return [
    ...findingIf(reachesNobody, 'SMTP_URL', noServer, setOne),
    ...findingIf(
      isForeign,
      'content/agency.yaml email',
      `${foreign}: many mailboxes refuse or hide such mails`,
      `Use an address of ${host}, then run ${check}`,
    ),
  ];
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
