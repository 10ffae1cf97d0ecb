/** Starts each kind of tag as the provider's inline snippet does. */
import type { Tag } from '#shared/tag.ts';
import type { Preferences } from '../cookie-banner/consent-rules.ts';
import { TAG_POLICY } from './tag-hosts.ts';
import { toSignals } from './tag-rules.ts';

/** Matomo's script replaces this array with its own object. */
const MATOMO_QUEUE = '_paq';

declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: TrustedTypesRules): { createScriptURL(url: string): string } };
    dataLayer?: unknown[];
    plausible?: PlausibleQueue;
    [MATOMO_QUEUE]?: { push: (command: unknown[]) => void };
    Calendly?: { initPopupWidget: (options: { url: string }) => void };
  }
}

type TrustedTypesRules = { createHTML?: (html: string) => string; createScriptURL: (url: string) => string | null };

type PlausibleQueue = {
  (...event: unknown[]): void;
  q?: unknown[];
  o?: object;
  init?: (options?: object) => void;
};

/** Meta's script looks for `push`, `loaded` and `version`. */
type MetaQueue = {
  (...command: unknown[]): void;
  callMethod?: (...command: unknown[]) => void;
  queue: unknown[];
  push: MetaQueue;
  loaded: boolean;
  version: string;
};

type LinkedInQueue = { (action: string, details: object): void; q?: unknown[][] };

/** Loads a tag that the visitor has allowed. */
export function startTag(tag: Tag, allowed: Preferences): void {
  switch (tag.kind) {
    case 'plausible':
      startPlausible();
      return loadScript(tag.src);
    case 'ga4':
      return startGoogle(tag, allowed);
    case 'linkedin':
      return startLinkedIn(tag.partnerId);
    case 'meta':
      return startMeta(tag.pixelId);
    case 'matomo':
      return startMatomo(tag.url, tag.siteId, tag.src);
    case 'calendly':
      return startCalendly();
    case 'script':
      Object.assign(window, tag.variables);
      return loadScript(tag.src, tag.attributes);
  }
}

/** Tells a running tag that the consent has changed. */
export function updateConsentOfTag(tag: Tag, allowed: Preferences): void {
  if (tag.kind === 'ga4') gtag('consent', 'update', toSignals(tag.category, allowed));
}

/** Passes an event to a running tag, if it measures events. */
export function sendEventOfTag(tag: Tag, name: string, details: Record<string, string>): void {
  if (tag.kind === 'plausible') window.plausible?.(name, { props: details });
  if (tag.kind === 'ga4') gtag('event', name, details);
  if (tag.kind === 'matomo') window[MATOMO_QUEUE]?.push(['trackEvent', 'Site', name, ...Object.values(details)]);
}

/** Creates the queue of Plausible's own snippet, which its script takes over. */
function startPlausible(): void {
  const plausible: PlausibleQueue = (...event) => {
    plausible.q = [...(plausible.q ?? []), event];
  };
  plausible.init = (options = {}) => {
    plausible.o = options;
  };
  plausible.init();
  window.plausible = plausible;
}

function startGoogle(tag: Extract<Tag, { kind: 'ga4' }>, allowed: Preferences): void {
  if (window.dataLayer === undefined) gtag('consent', 'default', toSignals(tag.category));
  updateConsentOfTag(tag, allowed);
  gtag('js', new Date());
  gtag('config', tag.measurementId);
  if (tag.adsId !== undefined) gtag('config', tag.adsId);
  loadScript(`https://www.googletagmanager.com/gtag/js?id=${tag.measurementId}`);
}

/** Google's tag accepts a command only as an `arguments` object. */
function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  window.dataLayer.push(arguments);
}

function startLinkedIn(partnerId: string): void {
  const lintrk: LinkedInQueue = (action, details) => lintrk.q!.push([action, details]);
  lintrk.q = [];
  Object.assign(window, { _linkedin_partner_id: partnerId, _linkedin_data_partner_ids: [partnerId], lintrk });
  loadScript('https://snap.licdn.com/li.lms-analytics/insight.min.js');
}

function startMeta(pixelId: string): void {
  const fbq = ((...command) => (fbq.callMethod ? fbq.callMethod(...command) : fbq.queue.push(command))) as MetaQueue;
  Object.assign(fbq, { push: fbq, loaded: true, version: '2.0', queue: [] });
  Object.assign(window, { fbq, _fbq: fbq });
  fbq('init', pixelId);
  fbq('track', 'PageView');
  loadScript('https://connect.facebook.net/en_US/fbevents.js');
}

function startMatomo(url: string, siteId: string, src = new URL('matomo.js', withSlash(url)).href): void {
  const commands = [
    ['setTrackerUrl', new URL('matomo.php', withSlash(url)).href],
    ['setSiteId', siteId],
    ['enableLinkTracking'],
    ['trackPageView'],
  ];
  Object.assign(window, { [MATOMO_QUEUE]: commands });
  loadScript(src);
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

/** Opens links to Calendly in its popup. Without Calendly's script, or in a new tab, the browser follows the link. */
function startCalendly(): void {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = 'https://assets.calendly.com/assets/external/widget.css';
  document.head.append(style);
  loadScript('https://assets.calendly.com/assets/external/widget.js');
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="https://calendly.com/"]');
    if (!link || !window.Calendly || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    window.Calendly.initPopupWidget({ url: link.href });
  });
}

let policy: { createScriptURL: (url: string) => string } | undefined;

/** Uses our own Trusted Types policy, because an extension may have created a default one that blocks scripts. */
function loadScript(url: string, attributes: Record<string, string> = {}): void {
  policy ??= window.trustedTypes?.createPolicy(TAG_POLICY, { createScriptURL: (given) => given });
  const script = document.createElement('script');
  script.async = true;
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
  script.src = policy?.createScriptURL(url) ?? url;
  document.head.append(script);
}
