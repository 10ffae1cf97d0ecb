import { afterAll, beforeAll } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import type { Browser } from './browser.ts';
import { type ScriptGate, startScriptGate } from './script-gate.ts';

/** XPaths of the first form on the home page. */
export const EMAIL = '(//form)[1]//input[@type = "email"]';
export const CONSENT = '(//form)[1]//input[@type = "checkbox"]';
export const JOIN = '(//form)[1]//button[@type = "submit"]';

/** A browser, the site that it visits, and the gate between them; all are set once the tests begin. */
export type FormVisit = { browser: Browser; site: RunningSite; gate: ScriptGate };

/** Starts one visit for all tests in the file or `describe` that calls this. */
export function startFormVisit(open: () => Promise<Browser>): FormVisit {
  const visit = {} as FormVisit;

  beforeAll(async () => {
    const site = await startSite();
    Object.assign(visit, { site, gate: await startScriptGate(site.url), browser: await open() });
  });

  // The browser first, since the server waits for its connections to close.
  afterAll(async () => {
    await visit.browser.close();
    await visit.gate.stop();
    await visit.site.stop();
  });
  return visit;
}

/** Stores a cookie choice, and clears the session storage, for the pages that are opened next, and as if no form had been sent yet. */
export async function openDecided({ browser, gate }: FormVisit, url = gate.url): Promise<void> {
  await browser.open(`${url}/privacy-policy`);
  await browser.evaluate(() => {
    localStorage.setItem('cookie_consent', 'essential');
    localStorage.setItem('cookie_consent_timestamp', String(Date.now()));
    sessionStorage.clear();
  });
}

/** Whether a form is hydrated: React marks the elements that it renders into. */
export function isHydrated({ browser }: FormVisit): Promise<boolean> {
  return browser.evaluate(() => {
    const islands = [...document.querySelectorAll('[data-island]')];
    return islands.some((island) => Object.keys(island).some((key) => key.startsWith('__reactContainer$')));
  });
}

export function shows({ browser }: FormVisit, words: string): Promise<boolean> {
  return browser.evaluate((text) => document.body.innerText.includes(text), words).catch(() => false);
}
