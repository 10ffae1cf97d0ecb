import { Resolver } from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import dns2 from 'dns2';
import { expect, onTestFinished, test } from 'vitest';
import { findSenderProblems } from '#owner/updates/sender-findings.ts';
import { listen } from '../listen.ts';
import { startNewsletter } from './running-newsletter.ts';
import { signToken } from '#list/tokens.ts';
import { at, CERTIFICATE, startSmtp, startTlsSmtp } from './smtp-server.ts';

/** Texts by their names; a name that is not there does not exist. */
type Zone = Record<string, string[]>;

/** A DNS server on loopback, and a resolver that asks it alone. */
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

type Sender = Parameters<typeof findSenderProblems>[0];

const SENDER: Sender = {
  domain: 'agency.example',
  selector: 'mail',
  smtpUrl: undefined,
  siteUrl: undefined,
  unsubscribeUrl: 'http://localhost/newsletter/unsubscribe/x',
};

const DKIM = 'mail._domainkey.agency.example';
const DMARC = '_dmarc.agency.example';
const SOUND = {
  'agency.example': ['v=spf1 include:mail.example ~all', 'something-else=1'],
  [DKIM]: ['v=DKIM1; k=rsa; p=MIGf'],
  [DMARC]: ['v=DMARC1; p=quarantine'],
};

async function finding(zone: Zone, what: string, sender: Partial<Sender> = {}) {
  const findings = await findSenderProblems({ ...SENDER, ...sender }, await startDns(zone));
  const found = findings.find((each) => each.what.startsWith(what));
  if (found === undefined) throw new Error(`nothing was said of ${what}`);
  return found;
}

test('a sender whose records are sound reads so', async () => {
  const findings = await findSenderProblems(SENDER, await startDns(SOUND));
  expect(findings.filter(({ isFine }) => isFine).map(({ what }) => what)).toEqual([
    'SPF of agency.example',
    'DKIM at mail._domainkey.agency.example',
    'DMARC of agency.example',
  ]);
});

test.each<[string, string, string[], string, RegExp]>([
  ['SPF', 'agency.example', [], 'no record', /TXT record that your mail provider names/],
  ['SPF', 'agency.example', ['v=spf1 a ~all', 'v=spf1 mx ~all'], '2 records', /into one record/],
  ['SPF', 'agency.example', ['v=spf1 +all'], 'v=spf1 +all', /End it with ~all/],
  ['DKIM', DKIM, [], 'no key', /Add the record/],
  ['DKIM', DKIM, ['v=DKIM1; p='], 'the key is withdrawn (p= is empty)', /new selector/],
  ['DMARC', DMARC, [], 'no record', /_dmarc\.agency\.example: "v=DMARC1; p=none"/],
  ['DMARC', DMARC, ['v=DMARC1; sp=reject'], 'v=DMARC1; sp=reject', /p=none, quarantine or reject/],
  ['DMARC', DMARC, ['v=DMARC1; rua=mailto:x'], 'v=DMARC1; rua=mailto:x', /p=none, quarantine or reject/],
])('%s at %s of %j is a mistake, with what to do', async (what, name, records, found, advice) => {
  const problem = { isFine: false, found, advice: expect.stringMatching(advice) };
  expect(await finding({ [name]: records }, what)).toMatchObject(problem);
});

test('a name server that does not answer is not a missing record', async () => {
  const resolver = new Resolver({ timeout: 300, tries: 1 });
  resolver.setServers(['127.0.0.1:9']);
  const findings = await findSenderProblems(SENDER, resolver);
  for (const what of ['SPF', 'DKIM', 'DMARC']) {
    const found = findings.find((each) => each.what.startsWith(what));
    expect(found).toMatchObject({ isFine: false, found: expect.stringMatching(/^not known: the name server/) });
  }
});

test.each([
  [10, true, 'v=spf1 include:a.example mx ~all'],
  [11, false, 'v=spf1 include:a.example mx a ~all'],
])('SPF may cause ten look-ups, those of its includes among them: %i', async (_, isFine, record) => {
  const zone = {
    'agency.example': [record],
    'a.example': ['v=spf1 a:one.example a:two.example exists:three.example include:b.example -all'],
    'b.example': ['v=spf1 ip4:192.0.2.0/24 a mx ptr redirect=c.example'],
    'c.example': ['v=spf1 ip4:192.0.2.1 -all'],
  };
  expect(await finding(zone, 'SPF')).toMatchObject({ isFine, ...(!isFine && { found: '11 look-ups or more' }) });
});

test('without a selector DKIM is not looked up, and that is said', async () => {
  expect(await finding(SOUND, 'DKIM', { selector: undefined })).toMatchObject({
    isFine: false,
    advice: expect.stringContaining('--selector'),
  });
});

test('a mail server that does not encrypt is found', async () => {
  const smtp = await startSmtp();
  const found = await finding({}, 'TLS', { smtpUrl: smtp.url });
  expect(found).toMatchObject({ isFine: false, advice: expect.stringContaining('smtps:// for port 465') });
});

test.each([
  ['554 5.7.1 blocked', 'the mail server lets nobody in (554 5.7.1 blocked)'],
  ['close', 'the mail server cannot be reached (the connection ended)'],
] as const)('a mail server that greets with %s reads as a sentence', async (mood, found) => {
  const smtp = await startSmtp();
  smtp.mood = at('greeting', mood);
  expect(await finding({}, 'TLS', { smtpUrl: smtp.url })).toMatchObject({ isFine: false, found });
});

test.each([
  ['secret', true, 'the connection is encrypted, the login is accepted'],
  ['wrong', false, 'the mail server refuses the login (535 5.7.8 no such login)'],
])('a login with the password "%s" reads as a sentence', async (password, isFine, found) => {
  const port = await startTlsSmtp({
    ...CERTIFICATE,
    onAuth: (login, _, done) => {
      if (login.password === 'secret') done(null, { user: login.username });
      else done(Object.assign(new Error('5.7.8 no such login'), { responseCode: 535 }));
    },
  });
  const smtpUrl = `smtp://user:${password}@127.0.0.1:${port}?tls.rejectUnauthorized=false`;
  expect(await finding({}, 'TLS', { smtpUrl })).toMatchObject({ isFine, found });
});

test('the unsubscribe page is opened, and a page that does not open is found', async () => {
  const running = await startNewsletter();
  const { secret } = running.newsletter;
  const siteUrl = 'https://www.agency.example';
  const link = (signedWith: string) =>
    `${running.url}/newsletter/unsubscribe/${signToken('unsubscribe', 'x', signedWith)}`;
  expect(await finding({}, 'Unsubscribe', { siteUrl, unsubscribeUrl: link(secret) })).toMatchObject({ isFine: true });
  expect(await finding({}, 'Unsubscribe', { siteUrl, unsubscribeUrl: link('another secret') })).toMatchObject({
    isFine: false,
    found: 'it answers 400',
  });
  const { url, stop } = await listen(createServer());
  await stop();
  expect(await finding({}, 'Unsubscribe', { siteUrl, unsubscribeUrl: url })).toMatchObject({
    isFine: false,
    found: expect.stringContaining('the connection is refused'),
  });
});
