import { generateKeyPairSync } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import dns2 from 'dns2';
import { expect, onTestFinished, test } from 'vitest';
import { findSenderProblems } from '#newsletter/updates/sender-findings.ts';

/** TXT records by name; any other name doesn't exist. */
type Zone = Record<string, string[]>;

/** A DNS server on loopback, and a resolver that asks only that. */
async function startDns(zone: Zone): Promise<Resolver> {
  const { Packet } = dns2;
  const server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      const name = question?.name ?? '';
      for (const data of zone[name] ?? []) {
        response.answers.push(Object.assign(new Packet.Resource(name, Packet.TYPE.TXT, Packet.CLASS.IN, 60), { data }));
      }
      void send(response);
    },
  });
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  onTestFinished(() => server.close());
  const { port } = (server.addresses() as { udp: AddressInfo }).udp;
  const resolver = new Resolver({ timeout: 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver;
}

const DKIM = 'mail._domainkey.agency.example';
const DMARC = '_dmarc.agency.example';
const KEY = generateKeyPairSync('rsa', { modulusLength: 1024 })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');
const ED25519 = Buffer.alloc(32, 1).toString('base64');
const SOUND = {
  'agency.example': ['v=spf1 include:mail.example ~all', 'something-else=1'],
  'mail.example': ['v=spf1 ip4:192.0.2.0/24 -all'],
  [DKIM]: [`v=DKIM1; k=rsa; p=${KEY}`],
  [DMARC]: ['v=DMARC1; p=quarantine'],
};

const check = async (zone: Zone, domain = 'agency.example', selector: string | undefined = 'mail') =>
  findSenderProblems(domain, selector, await startDns(zone));

test('finds no problem with a sender with valid records', async () => {
  expect(await check(SOUND)).toEqual([
    { what: 'SPF of agency.example', isFine: true, found: 'found' },
    { what: 'DMARC of agency.example', isFine: true, found: 'found' },
    { what: 'DKIM at mail._domainkey.agency.example', isFine: true, found: 'found' },
  ]);
});

test.each<[string, string, string[], string, RegExp]>([
  ['SPF', 'agency.example', [], 'not found', /At agency\.example, add the TXT record/],
  ['SPF', 'agency.example', ['v=spf1 a ~all', 'v=spf1 mx ~all'], '2 records', /one record/],
  ['DKIM', DKIM, [], 'not found', /At mail\._domainkey.*, add the record/],
  ['DKIM', DKIM, ['v=DKIM1; p='], 'not found', /check the selector/],
  ['DKIM', DKIM, ['v=DKIM1; k=rsa; p=MIGf'], 'a damaged key', /255 characters/],
  ['DKIM', DKIM, [`k=ed25519; p=${ED25519}`, `k=ed25519;p=${ED25519}`], '2 records', /no longer lists/],
  ['DMARC', DMARC, [], 'not found', /At _dmarc\.agency\.example, add the TXT record "v=DMARC1; p=none"/],
  ['DMARC', DMARC, ['v=DMARC1; sp=reject'], 'a damaged record', /Correct .* p=none/],
  ['DMARC', DMARC, ['v=dmarc1; p=none'], 'a damaged record', /begins with v=DMARC1;/],
  ['DMARC', DMARC, ['"v=DMARC1; p=none"'], 'a damaged record', /without quotation marks/],
  ['DMARC', DMARC, ['v=DMARC1 p=none'], 'a damaged record', /semicolons/],
  ['SPF', 'agency.example', ['"v=spf1 mx ~all"'], 'a damaged record', /without quotation marks/],
])('reports %s at %s of %j as wrong, with what to write', async (what, name, records, found, advice) => {
  const findings = await check({ ...SOUND, [name]: records });
  expect(findings.filter(({ isFine }) => !isFine)).toEqual([
    { what: expect.stringMatching(`^${what}`), isFine: false, found, advice: expect.stringMatching(advice) },
  ]);
});

const ELEVEN = Array.from({ length: 11 }, (_, index) => `include:s${index}.example`);

test.each<[string, string, string | undefined, RegExp, RegExp]>([
  ['nobody', 'v=spf1 -all', undefined, /nobody sends/, /before -all .*agency\.example/],
  ['what has a space after its colon', 'v=spf1 include: mail.example ~all', undefined, /“include:”/, /Correct/],
  ['what is mistyped', 'v=spf1 mx includ:mail.example ~all', undefined, /“includ:mail\.example”/, /Correct/],
  ['an invalid range', 'v=spf1 ip4:192.0.2.0/33 ~all', undefined, /“ip4:192\.0\.2\.0\/33”/, /Correct/],
  [
    'its provider with a minus sign',
    'v=spf1 mx -include:_spf.google.com ~all',
    'smtps://a%40agency.example:b@smtp.gmail.com',
    /does not name Google/,
    /before ~all/,
  ],
  ['an invalid address', 'v=spf1 ip4:192.0.2 ~all', undefined, /“ip4:192\.0\.2”/, /Correct/],
  [
    'its provider only after all',
    'v=spf1 mx -all include:_spf.google.com',
    'smtps://a%40agency.example:b@smtp.gmail.com',
    /does not name Google/,
    /before -all/,
  ],
  ['everybody', 'v=spf1 mx +all', undefined, /everybody/, /~all in place of \+all/],
  ['every address of IPv4', 'v=spf1 ip4:0.0.0.0/0 -all', undefined, /everybody/, /in place of ip4:0\.0\.0\.0\/0/],
  ['everybody by a redirect', 'v=spf1 redirect=open.example', undefined, /everybody/, /what leads to all/],
  ['everybody by an include', 'v=spf1 include:open.example -all', undefined, /everybody/, /what leads to all/],
  [
    'a redirect that doesn’t exist',
    'v=spf1 redirect=nowhere.example',
    undefined,
    /^nowhere\.example has no/,
    /nowhere/,
  ],
  [
    'an include that doesn’t exist',
    'v=spf1 include:nowhere.example ~all',
    undefined,
    /^nowhere\.example has no/,
    /nowhere/,
  ],
  ['eleven look-ups', `v=spf1 ${ELEVEN.join(' ')} ~all`, undefined, /11 look-ups/, /Remove/],
  [
    'a provider that isn’t in it',
    SOUND['agency.example'][0]!,
    'smtps://a%40agency.example:b@smtp.gmail.com',
    /does not name Google/,
    /include:_spf\.google\.com before ~all/,
  ],
])('reports SPF that allows %s', async (_, record, smtpUrl, found, advice) => {
  const google = { '_spf.google.com': ['v=spf1 ip4:192.0.2.9 ~all'] };
  const zone: Zone = { ...SOUND, ...google, 'agency.example': [record], 'open.example': ['v=spf1 all'] };
  for (const index of ELEVEN.keys()) zone[`s${index}.example`] = ['v=spf1 ip4:192.0.2.1 -all'];
  const [spf] = await findSenderProblems('agency.example', 'mail', await startDns(zone), smtpUrl);
  expect(spf).toMatchObject({
    isFine: false,
    found: expect.stringMatching(found),
    advice: expect.stringMatching(advice),
  });
});

test.each([
  ['a redirect alone', 'v=spf1 redirect=mail.example', undefined],
  [
    'every kind of term',
    'v=spf1 a/24 mx//64 ptr:a.example ip6:2001:db8::/32 exists:%{i}.a.example x-y=1 ~all',
    undefined,
  ],
  ['a macro', 'v=spf1 include:%{d}.spf.example exists:%{i}.list.example ~all', undefined],
  ['a redirect beside all, which is ignored', 'v=spf1 a redirect=nowhere.example ~all', undefined],
  ['its provider with a dot at the end', 'V=SPF1 Include:_spf.google.com. ?all', 'smtps://a:b@smtp.gmail.com'],
])('accepts SPF with %s', async (_, record, smtpUrl) => {
  const zone: Zone = { ...SOUND, 'agency.example': [record], '_spf.google.com': ['v=spf1 ip4:192.0.2.9 ~all'] };
  const [spf] = await findSenderProblems('agency.example', 'mail', await startDns(zone), smtpUrl);
  expect(spf).toMatchObject({ isFine: true });
});

test.each([
  ['smtps://agency%40gmail.com:b@smtp.gmail.com', 'Login at gmail.com', /mailbox at agency\.example/],
  ['smtp://apikey:b@smtp.sendgrid.net:587', 'Tracking at SendGrid', /turn off Click Tracking/],
  ['smtp://a:b@smtp-relay.brevo.com:587', 'Tracking at Brevo', /turn off/],
  ['smtp://a:b@email-smtp.eu-west-2.amazonaws.com:587', 'Tracking at Amazon SES', /remove opens and clicks/],
])('%s: says what only the owner can fix', async (smtpUrl, what, advice) => {
  const findings = await findSenderProblems('agency.example', 'mail', await startDns(SOUND), smtpUrl);
  expect(findings).toContainEqual(expect.objectContaining({ what, advice: expect.stringMatching(advice) }));
});

test.each(['me%40icloud.com:b@smtp.mail.me.com', 'hello%40web.agency.example:b@mail.agency.example'])(
  'has nothing to say about the login %s',
  async (login) => {
    const findings = await findSenderProblems('agency.example', 'mail', await startDns(SOUND), `smtps://${login}`);
    expect(findings.filter(({ what }) => what.startsWith('Login'))).toEqual([]);
  },
);

test.each([
  ['smtp://a:b@smtp-relay.brevo.com:587', [expect.stringContaining('an address at a domain of your own')]],
  ['smtps://anna%40gmail.com:b@smtp.gmail.com', []],
])('warns about a sender at gmail.com that %s sends for: %j', async (smtpUrl, advice) => {
  const zone = { 'gmail.com': ['v=spf1 redirect=_spf.google.com'], '_spf.google.com': ['v=spf1 ip4:192.0.2.9 ~all'] };
  const findings = await findSenderProblems('gmail.com', undefined, await startDns(zone), smtpUrl);
  expect(findings.filter(({ what }) => what === 'Sender at gmail.com').map((each) => each.advice)).toEqual(advice);
});

test('uses the parent domain’s DMARC record for a subdomain', async () => {
  const [, dmarc] = await check(SOUND, 'mail.agency.example');
  expect(dmarc).toMatchObject({ isFine: true, found: 'found' });
});

test('doesn’t look up DKIM without a selector', async () => {
  const findings = await findSenderProblems('agency.example', undefined, await startDns(SOUND));
  expect(findings.map(({ what }) => what)).toEqual(['SPF of agency.example', 'DMARC of agency.example']);
});

test('doesn’t report a record as missing if the name server doesn’t respond', async () => {
  const resolver = new Resolver({ timeout: 300, tries: 1 });
  resolver.setServers(['127.0.0.1:9']);
  const findings = await findSenderProblems('agency.example', 'mail', resolver);
  expect(findings.map(({ isFine, found }) => [isFine, found.slice(0, 40)])).toEqual(
    Array.from({ length: 3 }, () => [false, 'unknown: the name server gave no answer ']),
  );
});
