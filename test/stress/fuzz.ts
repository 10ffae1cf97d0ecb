import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeConsentWordings } from '#list/consent-wording.ts';
import { CAMPAIGN_PARAMETERS, EMAIL_MAX_LENGTH, EMAIL_PATTERN, SIGN_UP_FORMS } from '#shared/newsletter.ts';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import { startServer } from '../server-process.ts';
import { content } from '../test-content.ts';
import { type RandomRequest, randomRequests } from './random-requests.ts';

export type FuzzFigures = {
  inputs: number;
  /** How often each status was answered. */
  statuses: Record<number, number>;
  /** Requests that were answered with 5xx or not at all, for a repetition by hand. */
  failures: string[];
  rows: number;
  /** Rows that break a rule, and which one. */
  brokenRows: string[];
};

/**
 * Sends random requests, then reads every row that they left.
 * @param options.build the folder of a built site, of the tests' content
 * @param options.seed the same seed sends the same requests
 * @param options.onProgress called now and then with how many were sent
 */
export async function runFuzz(options: {
  build: string;
  inputs: number;
  seed: number;
  onProgress?: (inputs: number) => void;
}): Promise<FuzzFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'stress-fuzz-'));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const wordings = Object.values(makeConsentWordings(content.home)).map(({ version }) => version);
  const statuses: Record<number, number> = {};
  const failures: string[] = [];
  const server = await startServer(options.build, {
    DATA_DIR: folder,
    MAIL_HOURLY_CAP: '1',
    TRUSTED_PROXY_HEADER: 'X-Client',
  });
  try {
    for (let sent = 0; sent < options.inputs; sent += CHUNK) {
      const chunk = randomRequests(options.seed + sent, Math.min(CHUNK, options.inputs - sent), wordings);
      await inParallel(chunk, async (each) => {
        const status = await send(server.url, each, agent);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 500 || status === NO_ANSWER) failures.push(`${status} ${JSON.stringify(each)}`);
      });
      options.onProgress?.(sent + chunk.length);
    }
    await server.stop();
    return { inputs: options.inputs, statuses, failures, ...readRows(folder) };
  } finally {
    agent.destroy();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const CONNECTIONS = 16;
const CHUNK = 1000;
const NO_ANSWER = 0;

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const connection = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** @returns the status, or NO_ANSWER; a body that is refused early may end the connection before all of it is sent */
async function send(url: string, { method, path, headers, body }: RandomRequest, agent: Agent): Promise<number> {
  const call = request(url + path, { method, headers, agent });
  call.end(body);
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode ?? NO_ANSWER;
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
