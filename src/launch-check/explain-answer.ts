import { explainCodes } from '#shared/explain-codes.ts';

/** An answer of the live site. Without one, `failure` is the error's code or message, and the status is 0. */
export type Answer = { url: string; failure?: string; status: number; headers: Headers; text: string };

type Explanation = { problem: string; advice: string };

/**
 * Explains why the home page isn't shown.
 * @param answers of the site's URL and of what it redirects to, in order; the last may redirect to one before
 * @returns undefined if the first answer is a page
 */
export function explainAnswers(answers: [Answer, ...Answer[]], origin: string): Explanation | undefined {
  const last = answers.at(-1)!;
  if (last.failure !== undefined || last.status >= 400) return explainAnswer(last);
  if (readTarget(last) !== undefined) return explainLoop(answers, last);
  return answers.length === 1 ? undefined : explainRedirect(last.url, origin);
}

/** Explains an answer that is neither a page nor a redirect. */
export function explainAnswer({ failure, status }: Answer): Explanation {
  if (failure !== undefined) {
    const [words, advice] = FAILURES[failure] ?? [explainCodes(failure), 'Check DNS, the certificate and the server.'];
    return { problem: `there is no answer (${words})`, advice };
  }
  const [words, advice] = STATUSES[status] ?? ['', 'Look at the log of your host, or of the proxy in front.'];
  return { problem: `the answer is ${status}${words && `: ${words}`}`, advice };
}

/** @returns the absolute URL that an answer redirects to */
export function readTarget({ url, status, headers }: Answer): string | undefined {
  const location = headers.get('location');
  return status >= 300 && status < 400 && location !== null ? URL.parse(location, url)?.href : undefined;
}

function explainLoop(answers: Answer[], last: Answer): Explanation {
  const urls = [...answers.map(({ url }) => url), readTarget(last)!];
  const problem = `it redirects in a circle: ${urls.join(' → ')}`;
  const names = new Set(urls.map((url) => new URL(url).hostname));
  const advice =
    names.size > 1
      ? 'Two settings redirect against each other, for example www to the address without it and back. Keep one: look at your host’s domain settings, and at the forwarding rules of your domain’s provider or Cloudflare.'
      : 'The proxy in front asks your server over http, and your server redirects to https. In Cloudflare, open SSL/TLS and change the encryption from Flexible to Full (strict). Another proxy has to ask over https, or send X-Forwarded-Proto.';
  return { problem, advice };
}

function explainRedirect(url: string, origin: string): Explanation {
  const found = new URL(url);
  const { hostname } = new URL(origin);
  const withoutWww = (name: string) => name.replace(/^www\./, '');
  if (withoutWww(found.hostname) !== withoutWww(hostname)) {
    const advice = `That is another site, or a login in front of yours. Point ${hostname} at your server, and remove parking, forwarding or access protection.`;
    return { problem: `it redirects to ${found.origin}`, advice };
  }
  if (found.hostname !== hostname) {
    const advice = `Set SITE_URL=${found.origin} and build again, or have your host redirect the other way round.`;
    return { problem: `it redirects to ${found.origin}, so that is the site’s address`, advice };
  }
  if (found.protocol === 'http:') {
    const advice = 'Remove the redirect from https to http, at your host or in the proxy in front.';
    return { problem: `it redirects to ${url}, which is not encrypted`, advice };
  }
  const advice = 'The home page has to answer at / itself. Remove the redirect at your host.';
  return { problem: `it redirects to ${found.pathname}`, advice };
}

/** Codes of Node and OpenSSL. */
const FAILURES: Record<string, [words: string, advice: string]> = {
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Have it renewed: browsers warn every visitor.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another host',
    'Add this domain at your host, or point it at the right server; then have a certificate made for it.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its certificate is self-signed',
    'Use one that browsers trust, for example from Let’s Encrypt.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its certificate is not trusted, or comes without the intermediate one',
    'Have the server send the whole chain (fullchain.pem).',
  ],
  ENOTFOUND: ['there is no host of this name', 'Add a DNS record for it. A new one may take an hour.'],
  ECONNREFUSED: ['nothing answers at port 443', 'Start the web server, and open port 443 in the firewall.'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['port 443 does not speak TLS', 'Turn on https in the web server.'],
};

/** 520 to 526 and 530 are Cloudflare's. */
const STATUSES: Record<number, [words: string, advice: string]> = {
  401: ['it asks for a password', 'Turn off the password protection (basic authentication) of your host or proxy.'],
  403: ['it is forbidden', 'Check the firewall, the bot protection and the permissions of the files at your host.'],
  404: ['', 'Deploy the whole of dist/site; a page is asked for without .html.'],
  421: ['the server does not know this host', 'Add this domain at your host.'],
  502: ['the proxy gets no answer from the site', 'Start the site, and check the port that the proxy passes on to.'],
  503: ['it is down, for maintenance or without a server', 'End the maintenance, or start the site; its log says why.'],
  504: ['the site is too slow for the proxy', 'Check that the site runs; its log says what it waits for.'],
  520: ['Cloudflare could not read what your server answered', 'Look at the log of the web server.'],
  521: ['your server refuses Cloudflare', 'Start the web server, and allow Cloudflare’s addresses in the firewall.'],
  522: ['Cloudflare cannot connect to your server', 'Check the address in Cloudflare’s DNS, and the firewall.'],
  523: ['Cloudflare cannot find your server', 'Check the address in Cloudflare’s DNS.'],
  524: ['your server took too long for Cloudflare', 'Check that the site runs; its log says what it waits for.'],
  525: ['your server and Cloudflare agree on no encryption', 'Turn on https in the web server.'],
  526: [
    'Cloudflare does not trust your server’s certificate',
    'Renew it, or use one of Cloudflare’s origin certificates.',
  ],
  530: ['Cloudflare cannot find your server', 'Check the address in Cloudflare’s DNS.'],
};
