/**
 * The banner in the browser: shown once the page is at rest and only where a choice is missing, or when Cookie Settings
 * asks for it. It needs no other script: what it shows and hides is the page's own HTML.
 */
import { HAS_TAGS } from 'virtual:consent-question';
import { whenIdle } from './when-idle.ts';
import { applyLateStyles } from '../islands/apply-late-styles.ts';
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
    void askAtRest();
  });
  document.addEventListener('consentchange', () => {
    const { status } = currentConsent();
    if (status === 'given') closeBanner();
    // What was asked elsewhere meanwhile belongs to another version of the site: the next page asks.
    else if (status !== 'outdated') askWhereMissing();
  });
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>(`${BANNER} button`);
    if (button) press(button);
    const link = target.closest<HTMLAnchorElement>('a[data-cookie-settings]');
    if (link === null) return;
    event.preventDefault();
    opener = link;
    // Without the banner the link leads where it says.
    openBanner().catch(() => window.location.assign(link.href));
  });
  if (HAS_TAGS && history.state?.kept) resume().catch(() => undefined);
}

/** Asks when what moves as the page arrives has come to rest: on a phone the banner would cover it. */
async function askAtRest(): Promise<void> {
  const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  await Promise.allSettled(moving.map(({ finished }) => finished));
  // Cookie Settings may have opened it before: it stays as the visitor has it.
  if (banner().hidden) askWhereMissing();
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
  await applyLateStyles();
  const output = document.querySelector<HTMLOutputElement>('#cookie-banner > output')!;
  // Only what changes after it has been there for a moment is read out.
  setTimeout(() => (output.textContent = output.dataset[choice]!), 100);
  setTimeout(() => (output.textContent = ''), CONFIRMATION_MS);
}

async function openBanner(): Promise<void> {
  const consent = currentConsent();
  const allowed = allowedBy(consent);
  const opening = openingOf(consent, hasPrivacySignal());
  for (const text of all('[data-opening]')) text.hidden = text.dataset.opening !== opening;
  for (const each of switches()) each.checked = allowed[each.name as Category];
  for (const button of all('[aria-controls]')) disclose(button, false);
  show(true);
  // Before its styles have come nothing of it is seen, so that it comes in one frame.
  await applyLateStyles().catch((error: unknown) => {
    show(false);
    throw error;
  });
  if (opener) banner().querySelector('h2')!.focus();
}

function closeBanner(): void {
  const { activeElement } = document;
  // Safari takes the focus from a button that is pressed.
  if (activeElement === document.body || banner().contains(activeElement)) opener?.focus();
  opener = undefined;
  show(false);
}

function show(isShown: boolean): void {
  banner().hidden = !isShown;
  makeRoom();
}

/** The page's styles keep it clear of the banner. With `:has()` a browser would resolve them twice as it arrives. */
function makeRoom(): void {
  const { dataset } = document.documentElement;
  if (banner().hidden) delete dataset.banner;
  else dataset.banner = document.querySelector<HTMLElement>('#cookie-details')!.hidden ? 'open' : 'details';
}

function press(button: HTMLElement): void {
  const choice = button.dataset.choice as Choice | undefined;
  if (choice) {
    const selected = switches().map(({ name, checked }) => [name, checked]);
    // After a reload it is said there.
    if (choose(choice, Object.fromEntries(selected) as Preferences)) void confirmChoice(choice);
  } else {
    const isOpen = button.getAttribute('aria-expanded') === 'true';
    // One explanation is open at a time.
    for (const other of all('#cookie-details [aria-controls]')) disclose(other, false);
    disclose(button, !isOpen);
    makeRoom();
  }
}

function disclose(button: HTMLElement, isOpen: boolean): void {
  button.setAttribute('aria-expanded', String(isOpen));
  document.getElementById(button.getAttribute('aria-controls')!)!.hidden = !isOpen;
}

const BANNER = '#cookie-banner > section';

function banner(): HTMLElement {
  return document.querySelector<HTMLElement>(BANNER)!;
}

function switches(): HTMLInputElement[] {
  return all('input');
}

/** Every part of the banner that a selector names. */
function all<Found extends HTMLElement>(selector: string): Found[] {
  return [...banner().querySelectorAll<Found>(selector)];
}

/** Source: https://w3c.github.io/gpc/#javascript-property-to-detect-preference */
function hasPrivacySignal(): boolean {
  return 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true;
}
