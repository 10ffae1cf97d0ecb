import { createServer } from 'node:http';
import { listenOnFreePort } from '../listen-on-free-port.ts';

/** A third party on its own port, whose script does what tracking scripts do. */
export type TagServer = {
  url: string;
  /** Every request since `forget`, as method and path. */
  requests: () => string[];
  forget: () => void;
  stop: () => Promise<void>;
};

export async function startTagServer(): Promise<TagServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const script = SCRIPTS[request.url ?? ''];
    response.writeHead(script === undefined ? 204 : 200, { 'Content-Type': 'text/javascript' });
    response.end(script);
  });
  return {
    ...(await listenOnFreePort(server, 'localhost')),
    requests: () => [...requests],
    forget: () => {
      requests.length = 0;
    },
  };
}

const SCRIPTS: Record<string, string> = {
  // Writes cookies of every scope and both storages, calls home, loads another script, and writes again when
  // the visitor leaves the page, as real tags do.
  '/tag.js': `(() => {
    const home = new URL(document.currentScript.src).origin;
    const parent = location.hostname.split('.').slice(1).join('.');
    const storeSomething = () => {
      for (const reach of ['; path=/', '; path=' + location.pathname, '; path=/; domain=' + parent]) {
        document.cookie = 'visit_id=1; max-age=9999' + reach;
        document.cookie = 'visit_s_' + reach.length + '=1; max-age=9999' + reach;
      }
      document.cookie = '__Secure-visit=1; max-age=9999; path=/; secure; domain=' + parent;
      document.cookie = '__Host-visit=1; max-age=9999; path=/; secure';
      document.cookie = 'visit_parted=1; max-age=9999; path=/; secure; samesite=none; partitioned';
      localStorage.setItem('visit_user', '1');
      sessionStorage.setItem('visit_session', '1');
    };
    storeSomething();
    addEventListener('pagehide', storeSomething);
    new Image().src = home + '/pixel.gif';
    fetch(home + '/collect', { method: 'POST', mode: 'no-cors' });
    document.head.append(Object.assign(document.createElement('script'), { src: home + '/more.js' }));
  })()`,
  // Never stops: timers, beacons and requests that outlive the page, each saying whether the visitor had denied by
  // then.
  '/restless.js': `(() => {
    const home = new URL(document.currentScript.src).origin;
    const isDenied = () => localStorage.getItem('cookie_consent') === 'essential';
    const address = () => home + '/ping?denied=' + isDenied() + '&page=' + location.pathname;
    const call = () => {
      document.cookie = 'restless=1; max-age=9999; path=/';
      localStorage.setItem('restless', '1');
      navigator.sendBeacon(address());
      fetch(address(), { mode: 'no-cors', keepalive: true }).catch(() => undefined);
      new Image().src = address();
    };
    setInterval(call, 250);
    for (const event of ['pagehide', 'visibilitychange', 'beforeunload', 'click']) addEventListener(event, call, true);
    document.addEventListener('consentchange', call);
    indexedDB.open('restless-store');
    caches.open('restless-cache');
    document.documentElement.setAttribute('data-restless', '');
  })()`,
  '/more.js': `document.documentElement.setAttribute('data-more', '')`,
  '/throws.js': `throw new Error('This tag is broken')`,
};
