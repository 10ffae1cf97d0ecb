import { findBanner } from './cookie-banner.ts';
import { expect } from './site.ts';
import { allowAll, test } from './tag-site.ts';
import { findForm, hydrateForm } from './sign-up-form.ts';

test('keeps no space for a banner that a filter list hides, and makes Cookie Settings lead to the policy', async ({
  page,
}) => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('[id] > section[aria-labelledby] { display: none !important }');
      document.adoptedStyleSheets.push(sheet);
    });
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.locator('html[data-asking]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await expect(page).toHaveURL('/privacy-policy#cookies');
});

for (const part of ['#ask-first', '#ask-first > *', '#ask-first h2']) {
  test(`keeps working if an extension removes ${part} of the banner`, async ({ page }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.addInitScript((selector) => {
      new MutationObserver(() => document.querySelector(selector)?.remove()).observe(document, {
        childList: true,
        subtree: true,
      });
    }, part);
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Join the List' }).first().click();
    await expect(page.getByText('Please enter your email address.').first()).toBeVisible();
    await page.getByRole('link', { name: 'Cookie Settings' }).click();
    await expect(page).toHaveURL('/privacy-policy#cookies');
    await expect(page.locator('html[data-asking]')).toHaveCount(0);
    expect(errors).toEqual([]);
  });
}

test('a filter list against newsletter forms hides neither form, and blocks no script', async ({ page }) => {
  // Rules of Fanboy's Annoyances.
  await page.route(/\/assets\/newsletter-/, (route) => route.abort());
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('#footer-sign-up, #newsletter-form-footer, .newsletter-form { display: none !important }');
      document.adoptedStyleSheets.push(sheet);
    });
  });
  await page.goto('/');
  for (const source of ['Founder', 'Footer'] as const) {
    await expect(findForm(page, source)).toBeVisible();
    await hydrateForm(page, source);
  }
});

for (const [kind, policy] of [
  [
    'lets everything pass',
    '{ createHTML: (text) => text, createScriptURL: (url) => url, createScript: (code) => code }',
  ],
  ['handles only HTML', '{ createHTML: (text) => text }'],
  ['throws', '{ createHTML: () => { throw new Error() }, createScriptURL: () => { throw new Error() } }'],
]) {
  test(`starts tags and closes the banner each time although an extension’s default Trusted Types policy ${kind}`, async ({
    page,
  }) => {
    await page.addInitScript(`trustedTypes.createPolicy('default', ${policy})`);
    await page.goto('/');
    await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
    await expect(page.locator('html[data-restless]')).toBeAttached();
    await page.getByRole('link', { name: 'Cookie Settings' }).click();
    await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
    await expect(findBanner(page)).toBeHidden();
  });
}

test('closes the banner although a tag’s function fails', async ({ page }) => {
  await page.goto('/');
  await allowAll(page);
  await page.evaluate(() => {
    Object.defineProperty(window, 'dataLayer', {
      value: {
        push() {
          throw new Error('replaced by an extension');
        },
      },
    });
  });
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(findBanner(page)).toBeHidden();
});

test('a message of a form does not cover a link of the header that has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the List' }).first().click();
  const message = page.locator('[aria-live]').getByText('Email required');
  await expect(message).toBeVisible();
  await page.locator('header a').first().focus();
  // At once: it goes by itself after a while.
  expect(await message.isVisible()).toBe(false);
});

test('no tag runs on the page of a secret link or of a returned form, whatever the visitor has allowed', async ({
  page,
  tags,
}) => {
  await page.goto('/');
  await allowAll(page);
  const visit = async (open: () => Promise<unknown>) => {
    tags.forget();
    await open();
    await page.waitForLoadState('networkidle');
    // The previous page may still send something.
    expect(tags.requests().filter((request) => /\/tag\.js|\/newsletter\//.test(request))).toEqual([]);
  };
  for (const link of ['unsubscribe', 'confirm', 'renew']) {
    await visit(async () => {
      const headers = (await page.goto(`/newsletter/${link}/not-a-token`))!.headers();
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['content-security-policy']).toContain("script-src 'self';");
    });
  }
  // Somebody copied a link by hand.
  for (const link of [
    '/Newsletter/Unsubscribe/a-token',
    '/newsletter/unsubscribe=/a-token',
    '/en/newsletter/confirm/a',
  ])
    await visit(() => page.goto(link));
  await page.goto('/');
  await expect(page.locator('html[data-more][data-restless]')).toBeAttached();
  await visit(() =>
    page
      .locator('form')
      .first()
      .evaluate((form: HTMLFormElement) => form.submit()),
  );
  await expect(page.getByRole('alert')).toBeVisible();
});

test('after a denial, later pages write no cookie', async ({ page }) => {
  await page.addInitScript(() => {
    const { set, get } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as Required<PropertyDescriptor>;
    Object.assign(window, { cookiesWritten: 0 });
    Object.defineProperty(document, 'cookie', {
      get,
      set(value: string) {
        (window as never as { cookiesWritten: number }).cookiesWritten += 1;
        set.call(document, value);
      },
    });
  });
  const count = () => page.evaluate(() => (window as never as { cookiesWritten: number }).cookiesWritten);
  await page.goto('/', { waitUntil: 'networkidle' });
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await expect.poll(count).toBeGreaterThan(0);
  await page.goto('/privacy-policy', { waitUntil: 'networkidle' });
  expect(await count()).toBe(0);
});

test('the confirmation of a choice does not cover a link that has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/privacy-policy', { waitUntil: 'networkidle' });
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  const confirmation = page.locator('[aria-live] > p');
  await expect(confirmation).toBeVisible();
  await page.locator('header a').first().focus();
  // At once: it goes by itself after a while.
  expect(await confirmation.isVisible()).toBe(false);
});

test('opens all answers for printing, and closes them afterwards', async ({ page }) => {
  await page.goto('/');
  const open = page.locator('#faq details[open]');
  const before = await open.count();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(open).toHaveCount(await page.locator('#faq details').count());
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(open).toHaveCount(before);
});

test('no page scrolls sideways because of a long word, a bare URL or a long name in large text on a small phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const name = 'GESCHAEFTSFUEHRERVERMITTLUNGSFIRMA';
  for (const path of ['/', '/privacy-policy', '/nowhere']) {
    await page.goto(path);
    await page.evaluate((long) => {
      document.documentElement.style.fontSize = '200%';
      const url = `https://www.example.org/${'a-very-long-path/'.repeat(6)}${long}`;
      for (const text of document.querySelectorAll('main p, main li, main dd, main dt, address')) {
        text.append(` ${url} ${long}`);
      }
      const spelt =
        'header a > span, footer p, h1, h2, main a > span, [type="submit"], [popovertarget], a[href="#main"]';
      for (const each of document.querySelectorAll(spelt)) each.textContent = long;
    }, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});
