import { describe, expect, test } from 'vitest';
import { openWebKit, findMissingForWebKit } from './webkit-browser.ts';
import { changedForm } from './changed-form.ts';
import { type FormVisit, startFormVisit } from './form-visit.ts';
import { isUnmet } from '../machine-needs.ts';
import { walk } from './walk.ts';

describe.skipIf(isUnmet('WebKit', findMissingForWebKit() !== undefined))('WebKit', () => {
  describe('a visit', () => {
    walk(openWebKit);
  });
  describe('a page', () => {
    const visit = startFormVisit(openWebKit);
    describe('with a form that an extension changed', () => {
      changedForm(visit);
    });
    describe('at every width of a phone', () => {
      phoneWidths(visit);
    });
  });
});

/** WebKitGTK 2.50 crashed on some lines with `text-wrap: pretty`. */
function phoneWidths(visit: FormVisit): void {
  test.each(['/', '/privacy-policy', '/missing'])('%s is laid out', async (path) => {
    const { browser, site } = visit;
    await browser.open(site.url + path);
    // MiniBrowser's toolbar makes its window wider than most phones.
    await browser.resize(450, 800);
    for (let width = 320; width <= 450; width += 2) {
      const layOut = (pixels: number) => {
        document.body.style.width = `${pixels}px`;
        return document.body.offsetHeight;
      };
      expect(await browser.evaluate(layOut, width), `the page's height at ${width} px`).toBeGreaterThan(0);
    }
  });

  test('with text twice the size, nothing is wider than the smallest phone', async () => {
    const { browser, site } = visit;
    await browser.open(site.url);
    const overflow = () => {
      document.documentElement.style.fontSize = '200%';
      document.body.style.width = '320px';
      return document.querySelector('main')!.scrollWidth - document.body.clientWidth;
    };
    expect(await browser.evaluate(overflow)).toBeLessThanOrEqual(0);
  });
}
