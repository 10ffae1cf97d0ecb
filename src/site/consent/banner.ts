/**
 * The banner in the browser: fetched once the page is at rest and only where a choice is missing, or when Cookie
 * Settings asks for it. It needs no other script: what it shows and hides is its own HTML.
 */
import { HAS_TAGS, VERSION } from 'virtual:consent-question';
import { BANNER_PATH } from './banner-path.ts';
import { whenIdle } from './when-idle.ts';
import { loadParts } from '../islands/load-parts.ts';
import { choose, currentConsent, startConsent } from './consent.ts';
import { allowedBy, type Category, type Choice, openingOf, type Preferences } from './consent-rules.ts';

/** Milliseconds for which it is shown what was chosen. */
const CONFIRMATION_MS = 5000;

/** The link that opened the banner; without one nothing takes the visitor's focus. */
let opener: HTMLElement | undefined;

/** Asks where a choice is missing, now or after any change, and whenever Cookie Settings is pressed. */
export function startBanner(): void {
  void whenIdle(() => {
    startConsent();
    // Cookie Settings may have opened it before.
    void entranceEnded().then(askWhereMissing);
    document.addEventListener('consentchange', () => {
      if (currentConsent().status === 'given') closeBanner();
      else askWhereMissing();
    });
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-cookie-settings]');
    if (link === null) return;
    event.preventDefault();
    opener = link;
    // Without the banner the link leads where it says.
    openBanner().catch(() => window.location.assign(link.href));
  });
  if (HAS_TAGS && history.state?.kept) resume().catch(() => undefined);
}

/** When what moves as the page arrives has come to rest: on a phone the banner would cover it. */
function entranceEnded(): Promise<unknown> {
  const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  return Promise.allSettled(moving.map(({ finished }) => finished));
}

/** Whoever cannot be asked has allowed nothing; the next page asks again. */
function askWhereMissing(): void {
  if (currentConsent().status !== 'given') openBanner().catch(() => undefined);
}

/** After a withdrawal: the visitor goes on where they were, and hears the outcome. */
async function resume(): Promise<void> {
  (await (await loadParts()).loadTags()).resumePage();
  const consent = currentConsent();
  if (consent.status === 'given') await confirmChoice(consent.choice);
}

/** Says what was chosen: seen for a moment, and read out. */
async function confirmChoice(choice: Choice): Promise<void> {
  const output = (await fetchBanner()).nextElementSibling as HTMLOutputElement;
  // Only what changes after it has been there for a moment is read out.
  setTimeout(() => (output.textContent = output.dataset[choice]!), 100);
  setTimeout(() => (output.textContent = ''), CONFIRMATION_MS);
}

async function openBanner(): Promise<void> {
  const banner = await fetchBanner();
  const consent = currentConsent();
  const allowed = allowedBy(consent);
  const opening = openingOf(consent, hasPrivacySignal());
  for (const text of all(banner, '[data-opening]')) text.hidden = text.dataset.opening !== opening;
  for (const each of switchesOf(banner)) each.checked = allowed[each.name as Category];
  for (const button of all(banner, '[aria-controls]')) disclose(button, false);
  banner.hidden = false;
  makeRoom(banner);
  if (opener) banner.querySelector('h2')!.focus();
}

function closeBanner(): void {
  const banner = document.querySelector<HTMLElement>(BANNER);
  if (banner === null) return;
  const { activeElement } = document;
  // Safari takes the focus from a button that is pressed.
  if (activeElement === document.body || banner.contains(activeElement)) opener?.focus();
  opener = undefined;
  banner.hidden = true;
  makeRoom(banner);
}

/** The page's styles keep it clear of the banner. With `:has()` a browser would resolve them twice as it arrives. */
function makeRoom(banner: HTMLElement): void {
  const { dataset } = document.documentElement;
  if (banner.hidden) delete dataset.banner;
  else dataset.banner = banner.querySelector<HTMLElement>('#cookie-details')!.hidden ? 'open' : 'details';
}

const BANNER = '#cookie-banner > section';

let fetched: Promise<HTMLElement> | undefined;

/** A document of its own: Trusted Types forbid putting a text of HTML into the page. */
function fetchBanner(): Promise<HTMLElement> {
  if (fetched) return fetched;
  fetched = new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', BANNER_PATH);
    request.responseType = 'document';
    request.addEventListener('loadend', () => {
      const content = request.responseXML?.querySelector('template')?.content;
      // What is stored of a choice says what was asked: a page older than the site must not ask.
      if (!content?.querySelector(`[data-version="${VERSION}"]`)) {
        fetched = undefined;
        reject(new Error('The banner did not come'));
        return;
      }
      document.head.append(...content.querySelectorAll('style'));
      document.querySelector('#cookie-banner')!.append(content);
      const banner = document.querySelector<HTMLElement>(BANNER)!;
      banner.addEventListener('click', ({ target }) => press(banner, (target as Element).closest('button')));
      resolve(banner);
    });
    request.send();
  });
  return fetched;
}

function press(banner: HTMLElement, button: HTMLElement | null): void {
  const choice = button?.dataset.choice as Choice | undefined;
  if (choice) {
    const selected = switchesOf(banner).map(({ name, checked }) => [name, checked]);
    // After a reload it is said there.
    if (choose(choice, Object.fromEntries(selected) as Preferences)) void confirmChoice(choice);
  } else if (button) {
    const isOpen = button.getAttribute('aria-expanded') === 'true';
    // One explanation is open at a time.
    for (const other of all(banner, '#cookie-details [aria-controls]')) disclose(other, false);
    disclose(button, !isOpen);
    makeRoom(banner);
  }
}

function disclose(button: HTMLElement, isOpen: boolean): void {
  button.setAttribute('aria-expanded', String(isOpen));
  document.getElementById(button.getAttribute('aria-controls')!)!.hidden = !isOpen;
}

function switchesOf(banner: HTMLElement): HTMLInputElement[] {
  return all(banner, 'input');
}

function all<Found extends HTMLElement>(banner: HTMLElement, selector: string): Found[] {
  return [...banner.querySelectorAll<Found>(selector)];
}

/** Source: https://w3c.github.io/gpc/#javascript-property-to-detect-preference */
function hasPrivacySignal(): boolean {
  return 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true;
}
