import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { makeConsentWordings } from '#list/consent-wording.ts';
import {
  CAMPAIGN_PARAMETERS,
  EMAIL_MAX_LENGTH,
  EMAIL_PATTERN,
  NEWSLETTER_PATH,
  SIGN_UP_FORMS,
} from '#shared/newsletter.ts';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import { content } from '../test-content.ts';
import { startBuiltServer } from './built-server.ts';
import { makeRandomSignUps, type RandomSignUp } from './random-sign-ups.ts';
import { freshStore } from './running-newsletter.ts';

/** `npm run stress` sends more of them. */
const IS_FULL = process.env.STRESS === 'full';
const REQUESTS = IS_FULL ? 100_000 : 2000;
const PORTION = 1000;
const CONNECTIONS = 16;

const timeout = IS_FULL ? 7_200_000 : 120_000;

test('random sign-ups get no answer of 5xx and leave no row that breaks a rule', { timeout }, async () => {
  const { DATA_DIR } = await freshStore();
  const wordings = Object.values(makeConsentWordings(content.home)).map(({ version }) => version);
  const server = await startBuiltServer({ DATA_DIR, MAIL_HOURLY_CAP: '1' });
  const statuses: Record<number, number> = {};
  const failures: string[] = [];
  for (let sent = 0; sent < REQUESTS; sent += PORTION) {
    const signUps = makeRandomSignUps(1 + sent, PORTION, wordings).values();
    const connect = async () => {
      for (const each of signUps) {
        const status = await send(server.url, each);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 500 || status === NO_ANSWER) failures.push(`${status} ${JSON.stringify(each)}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  }
  await server.stop();
  const { rows, brokenRows } = readRows(DATA_DIR);
  process.stdout.write(`${REQUESTS} random sign-ups: ${rows} rows, answers ${JSON.stringify(statuses)}\n`);
  expect(failures).toEqual([]);
  expect(brokenRows).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(100);
  expect(statuses[400]).toBeGreaterThan(100);
  expect(rows).toBeGreaterThan(100);
});

const NO_ANSWER = 0;

async function send(url: string, { headers, body }: RandomSignUp): Promise<number> {
  try {
    const answer = await fetch(url + NEWSLETTER_PATH, { method: 'POST', headers, body, redirect: 'manual' });
    await answer.text();
    return answer.status;
  } catch {
    return NO_ANSWER;
  }
}

/** The rules that hold for each row, with any input. */
const RULES: { table: string; columns: string; broken: (row: Record<string, string>) => string | undefined }[] = [
  {
    table: 'subscribers',
    columns: 'id, address, normalised_address, role, first_source as source, state',
    broken: (row) => brokenAddress(row) ?? brokenSource(row) ?? brokenRole(row),
  },
  { table: 'consent_records', columns: 'id, source', broken: brokenSource },
];

function brokenAddress({ address = '', normalised_address = '' }: Record<string, string>): string | undefined {
  if (!EMAIL_PATTERN.test(address)) return 'an address that is none';
  if (Buffer.byteLength(address) > EMAIL_MAX_LENGTH) return 'an address that is too long';
  if (UNSAFE.test(address)) return 'an address that could change a header';
  if (normalised_address !== normalised_address.toLowerCase()) return 'a normalised address in capitals';
  return undefined;
}

/** Of RFC 5322: what makes a list, a comment, a route or a second header of an address. */
const UNSAFE = /[\p{Cc}\s<>()[\],;:\\"]/u;

function brokenSource({ source = '' }: Record<string, string>): string | undefined {
  const [form, campaign, ...rest] = source.split(' | ');
  const isForm = SIGN_UP_FORMS.some((each) => each === form);
  const isCampaign =
    campaign === undefined || CAMPAIGN_PARAMETERS.some((parameter) => campaign.startsWith(`${parameter}=`));
  const isLine = !/\p{Cc}/u.test(source) && source.isWellFormed();
  return isForm && (isCampaign || rest.length > 0) && isLine ? undefined : 'a source that is none';
}

function brokenRole({ role = '' }: Record<string, string>): string | undefined {
  return role === '' || OPTIONAL_FIELDS.role.options.some((each) => each === role)
    ? undefined
    : 'a role that is not offered';
}

/** Whole tables, each row of which would break a rule. */
const NO_ROWS = {
  'a subscriber without a consent': `select id from subscribers where id not in
    (select subscriber_id from consent_records where event = 'given' and subscriber_id is not null)`,
  'a consent without its wording': `select id from consent_records where event = 'given' and
    wording_version not in (select version from consent_wordings)`,
  'a consent of nobody': `select id from consent_records where event = 'given' and
    subscriber_id not in (select id from subscribers)`,
  'a delivery for nobody': `select id from deliveries where subscriber_id not in (select id from subscribers)`,
  'two welcome mails': `select subscriber_id as id from deliveries where kind = 'welcome'
    group by subscriber_id having count(*) > 1`,
};

function readRows(folder: string): { rows: number; brokenRows: string[] } {
  const database = new DatabaseSync(join(folder, 'sign-ups.db'), { readOnly: true });
  const brokenRows: string[] = [];
  let rows = 0;
  for (const { table, columns, broken } of RULES) {
    for (const row of database.prepare(`select ${columns} from ${table}`).all() as Record<string, string>[]) {
      rows += 1;
      const rule = broken(row);
      if (rule) brokenRows.push(`${table}: ${rule}: ${JSON.stringify(row)}`);
    }
  }
  for (const [rule, sql] of Object.entries(NO_ROWS)) {
    for (const row of database.prepare(sql).all()) brokenRows.push(`${rule}: ${JSON.stringify(row)}`);
  }
  database.close();
  return { rows, brokenRows };
}
