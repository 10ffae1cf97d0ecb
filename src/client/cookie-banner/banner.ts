/**
 * Opens the cookie banner once the page is idle if there is no choice yet, and when Cookie Settings is pressed. It
 * shows and hides HTML that is already in the page; only tags need more scripts.
 */
import { BANNER_PARTS, CHOICE, CONFIRMATION, COOKIE_SETTINGS, findBannerRoot, OPENING } from './banner-parts.ts';
import { whenIdle } from './when-idle.ts';
import { choose, readCurrentConsent, startConsent } from './consent.ts';
import { allowedCategories, type Category, type Choice, chooseOpening, type Preferences } from './consent-rules.ts';

/** How long the confirmation of a choice is shown, in milliseconds; the same as in toast-region.module.css. */
const CONFIRMATION_MS = 5000;

/** The Cookie Settings link that opened the banner; without one, the focus is not moved. */
let opener: HTMLElement | undefined;

/**
 * Opens the banner if there is no choice, initially or after a change, and when Cookie Settings is pressed. If an
 * extension has removed it, nothing optional runs, and Cookie Settings links to the policy.
 */
export function startBanner(): void {
  if (findBannerRoot() === undefined) return;
  void whenIdle(() => {
    startConsent();
    void askAfterAnimations();
  });
  document.addEventListener('consentchange', () => {
    const { status } = readCurrentConsent();
    if (status === 'given') closeBanner();
    // An outdated choice was stored by a tab with another version of the site: if both tabs asked, each would undo the
    // other's choice. The next page asks.
    else if (status !== 'outdated') askIfMissing();
  });
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest(`#${BANNER_PARTS.root} button`);
    if (button !== null) handlePress(button);
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(`a[${COOKIE_SETTINGS}]`);
    if (link === null || opensElsewhere(event)) return;
    if (openBanner(link)) event.preventDefault();
  });
}

/** Opens the banner after a page's first animations, which it would cover on a phone. */
async function askAfterAnimations(): Promise<void> {
  // Scroll-driven animations never finish.
  const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  await Promise.allSettled(moving.map(({ finished }) => finished));
  // If Cookie Settings has already opened the banner, this would reset it.
  if (findBanner()?.hidden) askIfMissing();
}

function askIfMissing(): void {
  if (readCurrentConsent().status !== 'given') openBanner();
}

/** Whether a click opens its link in another tab or window, or downloads it. */
function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

/** Confirms the choice briefly, in the live region, so that screen readers announce it. */
function confirmChoice(choice: Choice): void {
  const shown = document.createElement('p');
  shown.textContent = findPart('root').querySelector(`[${CHOICE}="${choice}"]`)!.getAttribute(CONFIRMATION);
  document.querySelector('[aria-live]')?.replaceChildren(shown);
  const uncover = ({ target }: Event) => {
    if (overlap(shown, target as Element)) hide();
  };
  const hide = () => {
    shown.remove();
    document.removeEventListener('focusin', uncover);
  };
  // It must not cover the focused element (WCAG 2.2, 2.4.11).
  document.addEventListener('focusin', uncover);
  setTimeout(hide, CONFIRMATION_MS);
}

/**
 * @param link the link that was pressed, which gets the focus back on closing; without one, the focus is not moved
 * @returns false if an extension has hidden the banner, or removed a part of it: then no space is kept for it
 */
function openBanner(link?: HTMLElement): boolean {
  if (Object.values(BANNER_PARTS).some((id) => document.getElementById(id) === null)) return false;
  // Read before `opener` is set: reading may fire consentchange, and closing the banner clears `opener`.
  const consent = readCurrentConsent();
  opener = link ?? opener;
  const allowed = allowedCategories(consent);
  const opening = chooseOpening(consent, hasPrivacySignal());
  for (const text of findAll(`[${OPENING}]`)) text.hidden = text.getAttribute(OPENING) !== opening;
  for (const each of findSwitches()) each.checked = allowed[each.name as Category];
  for (const each of findAll<HTMLDetailsElement>('details')) each.open = false;
  hideDetails(true);
  show(true);
  if (findBanner()!.getClientRects().length === 0) {
    opener = undefined;
    show(false);
    return false;
  }
  if (opener) findPart('heading').focus();
  return true;
}

function closeBanner(): void {
  const { activeElement } = document;
  // Safari doesn't focus a clicked button.
  if (activeElement === document.body || findBanner()?.contains(activeElement)) opener?.focus();
  opener = undefined;
  show(false);
}

function show(isShown: boolean): void {
  const banner = findBanner();
  if (banner) banner.hidden = !isShown;
  reserveSpace();
}

/**
 * With this attribute the page's styles leave space for the banner; `:has()` would make browsers compute styles twice.
 */
function reserveSpace(): void {
  const { dataset } = document.documentElement;
  if (findBanner()?.hidden ?? true) delete dataset.asking;
  else dataset.asking = findPart('details').hidden ? 'open' : 'details';
}

function overlap(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function handlePress(button: Element): void {
  const choice = button.getAttribute(CHOICE) as Choice | null;
  if (choice !== null) {
    const selected = findSwitches().map(({ name, checked }) => [name, checked]);
    choose(choice, Object.fromEntries(selected) as Preferences);
    confirmChoice(choice);
  } else {
    hideDetails(!findPart('details').hidden);
  }
}

function hideDetails(isHidden: boolean): void {
  findPart('toggle').setAttribute('aria-expanded', String(!isHidden));
  findPart('details').hidden = isHidden;
  reserveSpace();
}

function findPart(name: keyof typeof BANNER_PARTS): HTMLElement {
  return document.getElementById(BANNER_PARTS[name])!;
}

function findBanner(): HTMLElement | undefined {
  return (findBannerRoot()?.firstElementChild ?? undefined) as HTMLElement | undefined;
}

function findSwitches(): HTMLInputElement[] {
  return findAll('input');
}

function findAll<Found extends HTMLElement>(selector: string): Found[] {
  return [...findBanner()!.querySelectorAll<Found>(selector)];
}

/** Source: https://w3c.github.io/gpc/#javascript-property-to-detect-preference */
function hasPrivacySignal(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
