/**
 * The banner in the browser: shown once the page is at rest and only where a choice is missing, or when Cookie Settings
 * asks for it. It shows and hides the page's own HTML; only the tags and the return after a withdrawal need more scripts.
 */
import { HAS_TAGS } from 'virtual:consent-question';
import { applyLateStyles } from '../islands/apply-late-styles.ts';
import { loadParts } from '../islands/load-parts.ts';
import { BANNER_PARTS, CHOICE, CONFIRMATION, COOKIE_SETTINGS, OPENING } from './banner-parts.ts';
import { whenIdle } from './when-idle.ts';
import { choose, currentConsent, startConsent } from './consent.ts';
import { allowedBy, type Category, type Choice, chooseOpening, type Preferences } from './consent-rules.ts';

/** Milliseconds for which the confirmation of a choice shows, as in corner.module.css. */
const CONFIRMATION_MS = 5000;

/** The link that opened the banner; without one nothing takes the visitor's focus. */
let opener: HTMLElement | undefined;

/** Asks where a choice is missing, now or after any change, and whenever Cookie Settings is pressed. */
export function startBanner(): void {
  void whenIdle(() => {
    startConsent();
    void askAtRest();
  });
  document.addEventListener('consentchange', () => {
    const { status } = currentConsent();
    if (status === 'given') closeBanner();
    // A tab of another version has asked: asking here too would let two tabs undo each other. The next page asks.
    else if (status !== 'outdated') askWhereMissing();
  });
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest(`#${BANNER_PARTS.root} button`);
    if (button !== null) handlePress(button);
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(`a[${COOKIE_SETTINGS}]`);
    if (link === null) return;
    event.preventDefault();
    // Without the banner the link leads where it says.
    openBanner(link).catch(() => window.location.assign(link.href));
  });
  if (HAS_TAGS && history.state?.kept) resume().catch(() => undefined);
}

/** Asks when what moves as the page arrives has come to rest: on a phone the banner would cover it. */
async function askAtRest(): Promise<void> {
  // Animations that follow the scrolling never finish.
  const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  await Promise.allSettled(moving.map(({ finished }) => finished));
  // Cookie Settings may have opened it before: it stays as the visitor has it.
  if (banner().hidden) askWhereMissing();
}

/** Without an answer nothing optional is allowed; the next page asks again. */
function askWhereMissing(): void {
  if (currentConsent().status !== 'given') openBanner().catch(() => undefined);
}

/** After a withdrawal: returns the visitor to where they were, and confirms the choice. */
async function resume(): Promise<void> {
  (await (await loadParts()).loadTags()).resumePage();
  const consent = currentConsent();
  if (consent.status === 'given') await confirmChoice(consent.choice);
}

let confirmation: HTMLElement | undefined;

/** Shows what was chosen for a moment, in the live region, so that it is announced. */
async function confirmChoice(choice: Choice): Promise<void> {
  await applyLateStyles();
  confirmation?.remove();
  const shown = document.createElement('p');
  shown.textContent = part('root').querySelector(`[${CHOICE}="${choice}"]`)!.getAttribute(CONFIRMATION);
  document.querySelector('[aria-live]')!.append(shown);
  confirmation = shown;
  setTimeout(() => shown.remove(), CONFIRMATION_MS);
}

/** @param link the link that asks for it, which then gets the focus back; without one the focus stays */
async function openBanner(link?: HTMLElement): Promise<void> {
  // Read first: reading may fire consentchange, and closing the banner forgets its opener.
  const consent = currentConsent();
  opener = link ?? opener;
  const allowed = allowedBy(consent);
  const opening = chooseOpening(consent, hasPrivacySignal());
  for (const text of findAll(`[${OPENING}]`)) text.hidden = text.getAttribute(OPENING) !== opening;
  for (const each of switches()) each.checked = allowed[each.name as Category];
  for (const each of findAll<HTMLDetailsElement>('details')) each.open = false;
  hideDetails(true);
  show(true);
  // Before its styles have come nothing of it is seen, so that it comes in one frame.
  await applyLateStyles().catch((error: unknown) => {
    show(false);
    throw error;
  });
  if (opener) part('heading').focus();
}

function closeBanner(): void {
  const { activeElement } = document;
  // Safari does not focus a button that is clicked.
  if (activeElement === document.body || banner().contains(activeElement)) opener?.focus();
  opener = undefined;
  show(false);
}

function show(isShown: boolean): void {
  banner().hidden = !isShown;
  reserveSpace();
}

/** The page's styles keep it clear of the banner. With `:has()` a browser would resolve them twice as it arrives. */
function reserveSpace(): void {
  const { dataset } = document.documentElement;
  if (banner().hidden) delete dataset.banner;
  else dataset.banner = part('details').hidden ? 'open' : 'details';
}

function handlePress(button: Element): void {
  const choice = button.getAttribute(CHOICE) as Choice | null;
  if (choice !== null) {
    const selected = switches().map(({ name, checked }) => [name, checked]);
    // After a reload the next page confirms it.
    if (choose(choice, Object.fromEntries(selected) as Preferences)) void confirmChoice(choice);
  } else {
    hideDetails(!part('details').hidden);
  }
}

function hideDetails(isHidden: boolean): void {
  part('toggle').setAttribute('aria-expanded', String(!isHidden));
  part('details').hidden = isHidden;
  reserveSpace();
}

function part(name: keyof typeof BANNER_PARTS): HTMLElement {
  return document.getElementById(BANNER_PARTS[name])!;
}

function banner(): HTMLElement {
  return part('root').firstElementChild as HTMLElement;
}

function switches(): HTMLInputElement[] {
  return findAll('input');
}

function findAll<Found extends HTMLElement>(selector: string): Found[] {
  return [...banner().querySelectorAll<Found>(selector)];
}

/** Source: https://w3c.github.io/gpc/#javascript-property-to-detect-preference */
function hasPrivacySignal(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
