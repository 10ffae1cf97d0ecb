import { findBanner, chooseEssential } from './cookie-banner.ts';
import { expectHydrated } from './hydrated.ts';
import { expect, type Page, test } from './site.ts';

const FOUNDER = {
  section: 'Want to stay ahead of GTM hiring trends?',
  source: 'Founder',
  done: 'Welcome to the List!',
  doneText: "Thank you — you're now on the list. Expect only thoughtful updates from us, not spam.",
  consent: 'I consent to receiving occasional updates from the agency. *',
};
const FOOTER = {
  section: /^Stay Connected with /,
  source: 'Footer',
  done: "You're All Set!",
  doneText: "Thanks — you're in! Check your inbox.",
  consent: /^I consent to receiving occasional updates from .+\. \*$/,
};

const FORM_SCRIPT = /newsletter-form-.*\.js$/;

test.beforeEach(async ({ page }) => {
  // Decided beforehand, so that the banner is closed.
  await page.addInitScript(chooseEssential);
});

for (const { section, source, done, doneText, consent } of [FOUNDER, FOOTER]) {
  test(`the ${source} form stores a sign-up and says so`, async ({ page, site }) => {
    const email = uniqueAddress(source);
    await page.goto('/');
    const form = await hydratedForm(page, section);
    await form.getByLabel('Email').fill(`  ${email}  `);
    await form.getByLabel('Role').selectOption('Head of Talent');
    await form.getByLabel(consent).check();
    await form.getByRole('button', { name: 'Join the List' }).click();

    const panel = findSection(page, section);
    await expect(panel.getByRole('heading', { name: done })).toBeFocused();
    await expect(panel.getByText(doneText)).toBeVisible();
    await expect(panel.getByRole('textbox')).toHaveCount(0);
    await expectToast(page, 'Success!', "Thanks — you're in! Check your inbox.");
    expect(site.signUps()).toContainEqual({ email, role: 'Head of Talent', source, state: 'subscribed' });
  });
}

test('remembers which campaign the visitor came from', async ({ page, site }) => {
  const email = uniqueAddress('founder');
  await page.goto('/?utm_content=top%20link&gclid=1&utm_source=linked%26in&utm_term=&utm_medium=post');
  await signUp(page, FOUNDER.section, email);
  await expect(page.getByRole('heading', { name: FOUNDER.done })).toBeVisible();
  const stored = site.signUps().find((each) => each.email === email);
  expect(stored?.source).toBe(`Founder | utm_source=linked&in&utm_medium=post&utm_content=top link`);
  expect(stored?.role).toBe('');
});

test('asks for an address before anything else, and then for consent', async ({ page }) => {
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  const email = form.getByLabel('Email');
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expectToast(page, 'Email required', 'Please enter your email address.');
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Please enter your email address.');

  await email.fill('nobody@nowhere');
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expectToast(page, 'Invalid email', 'Please enter a valid email address.');
  await expect(email).toBeFocused();
  await expect(email).toHaveValue('nobody@nowhere');

  await email.fill('somebody@example.org');
  await expect(email).toHaveAccessibleDescription('');
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expectToast(page, 'Consent required', 'Please consent to receiving updates to continue.');
  await expect(form.getByRole('checkbox')).toBeFocused();
  await expect(form.getByRole('checkbox')).toHaveAccessibleDescription(
    'Please consent to receiving updates to continue.',
  );
  await expect(email).toHaveValue('somebody@example.org');
});

test('drops what a robot filled in, without a word', async ({ page, site }) => {
  const email = uniqueAddress('founder');
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  await form.locator('input[name="website"]').evaluate((decoy: HTMLInputElement) => {
    decoy.value = 'https://spam.example';
  });
  const logged = page.waitForEvent('console', (message) => message.text().includes('decoy'));
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await form.getByLabel('Email').fill(email);
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Join the List' }).click();
  await logged;
  await expect(form.getByRole('button', { name: 'Join the List' })).toBeEnabled();
  await expect(toasts(page)).toHaveCount(0);
  expect(posts).toEqual([]);
  expect(site.signUps().map((each) => each.email)).not.toContain(email);
});

test('keeps what was typed when the sign-up cannot be sent, and works again afterwards', async ({ page, context }) => {
  const email = uniqueAddress('founder');
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Role').selectOption('Founder');
  await form.getByRole('checkbox').check();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));

  await context.setOffline(true);
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expectToast(page, 'Error', 'Something went wrong. Please try again.');
  await expect(form.getByRole('button', { name: 'Join the List' })).toBeEnabled();
  await expect(form.getByLabel('Email')).toHaveValue(email);
  await expect(form.getByLabel('Role')).toHaveValue('Founder');
  await expect(form.getByRole('checkbox')).toBeChecked();
  expect(errors.join()).toContain('The sign-up was not sent.');
  await expect(form.getByRole('button')).toBeFocused();
  await expect(form.getByText('Something went wrong. Please try again.')).toBeVisible();

  await context.setOffline(false);
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(page.getByRole('heading', { name: FOUNDER.done })).toBeVisible();
});

test('says by the field what only the newsletter can tell of an address', async ({ page }) => {
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  // Such marks could turn one address into a list of them; the form's own pattern does not mind.
  await form.getByLabel('Email').fill('some<body>@example.org');
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expectToast(page, 'Invalid email', 'Please enter a valid email address.');
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.');
});

test('says that it is joining while the sign-up is on its way', async ({ page, context }) => {
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  await form.getByLabel('Email').fill(uniqueAddress('slow'));
  await form.getByRole('checkbox').check();
  // A slow line to our real receiver.
  const network = await context.newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1500,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await form.getByRole('button').click();
  await expect(form.getByRole('button', { name: 'Joining...' })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible();
});

test('asks for a pause when the second form is sent within ten seconds of the first', async ({ page, site }) => {
  await page.clock.install();
  await page.goto('/');
  await signUp(page, FOUNDER.section, uniqueAddress('first'));
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible();

  const second = uniqueAddress('second');
  await signUp(page, FOOTER.section, second);
  await expectToast(page, 'Too fast', 'Please wait a moment before submitting again.');
  expect(site.signUps().map((each) => each.email)).not.toContain(second);

  await page.clock.fastForward(10_000);
  await findSection(page, FOOTER.section).getByRole('button', { name: 'Join the List' }).click();
  await expect(page.getByRole('heading', { name: "You're All Set!" })).toBeVisible();
  expect(site.signUps().map((each) => each.email)).toContain(second);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a visitor after too many sign-ups of one network reads how long to wait', async ({ page }) => {
      const sent = Array.from({ length: 20 }, (_, index) => ({ email: `flood${index}@example.org`, source: 'Footer' }));
      await Promise.all(sent.map((data) => page.request.post('/api/newsletter', { data })));
      await page.goto('/');
      const form = findSection(page, FOUNDER.section).getByRole('form');
      await form.getByLabel('Email').fill('late@example.org');
      await form.getByRole('checkbox').check();
      await form.getByRole('button', { name: 'Join the List' }).click();
      await expect(page.getByText('Too many sign-ups').first()).toBeVisible();
      await expect(page.getByText('Please wait a minute and try again.').first()).toBeVisible();
      await expect(form.or(page.getByRole('form')).first().getByLabel('Email')).toHaveValue('late@example.org');
    });
  });
}

test('a message stays while the pointer is on it, until it is dismissed', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  // From here on the clock moves only when the test moves it.
  await page.clock.pauseAt(Date.now() + 60_000);
  await form.getByRole('button', { name: 'Join the List' }).click();
  await toasts(page).first().hover();
  await page.clock.runFor(20_000);
  await expect(toasts(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Dismiss: Email required' }).click();
  await expect(toasts(page)).toHaveCount(0);
});

test.describe('before a choice', () => {
  for (const { width, height } of [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
    { width: 320, height: 400 },
  ]) {
    test(`at ${width} by ${height} px no message covers a choice of the banner`, async ({ page }) => {
      await page.addInitScript(() => localStorage.clear());
      await page.setViewportSize({ width, height });
      await page.goto('/');
      await expect(findBanner(page)).toBeVisible();
      const form = await hydratedForm(page, FOUNDER.section);
      await form.getByRole('button', { name: 'Join the List' }).press('Enter');
      await expect(toasts(page)).toHaveCount(1);
      for (const name of ['Allow All', 'Deny Non-Essential', 'Show details']) {
        const button = findBanner(page).getByRole('button', { name, exact: true });
        await button.scrollIntoViewIfNeeded();
        await button.click({ trial: true });
      }
    });
  }
});

test('the roles are a list in the page, easy to tap, and none is cut off on a small screen or by large text', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/');
  const role = page.getByRole('form', { name: FOUNDER.section }).getByLabel('Role');
  const options = role.getByRole('option');
  for (const textSize of ['100%', '200%']) {
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize);
    await role.click();
    await expect(options.last()).toBeVisible();
    for (const option of await options.all()) {
      await option.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await option.boundingBox())!;
      expect(height).toBeGreaterThanOrEqual(44);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(320);
      expect(y + height).toBeLessThanOrEqual(568);
      expect(await option.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    }
    await role.getByRole('option', { name: 'Candidate (AE / SE / CSM)' }).click();
    await expect(role).toHaveValue('Candidate (AE / SE / CSM)');
    await expect(role).toBeFocused();
    expect(await role.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
  }
});

test('F8 leads to the messages and Escape back, and the address is marked as required', async ({ page }) => {
  await page.goto('/');
  const form = await hydratedForm(page, FOUNDER.section);
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(toasts(page)).toHaveCount(1);
  const email = form.getByRole('textbox', { name: 'Email *' });
  await expect(email).toBeFocused();
  await page.keyboard.press('F8');
  const messages = page.getByRole('region', { name: /^Notifications/ });
  await expect(messages).toBeFocused();
  await expect(messages).not.toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Escape');
  await expect(email).toBeFocused();
});

test('a form that is sent before its script has come is kept and sent once it has', async ({ page, site }) => {
  const { email, form, release } = await fillInBeforeScript(page, 'early');
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(form.getByLabel('Email')).toHaveValue(email);
  release();
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible();
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('a press of Join that lasts until a changed form is hydrated sends it once', async ({ page, site }) => {
  const { email, form, release } = await fillInBeforeScript(page, 'pressed');
  const button = form.getByRole('button', { name: 'Join the List' });
  await form.getByLabel('Email').evaluate((field) => field.after(document.createElement('span')));
  await button.hover();
  await page.mouse.down();
  const script = page.waitForResponse(FORM_SCRIPT);
  release();
  const address = (await script).url();
  // Resolves once the page has run it, too.
  await page.evaluate(async (url) => {
    await import(url);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }, address);
  await page.mouse.up();
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible();
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('a tap before the script has come is answered at once, and with what is missing when it comes', async ({
  page,
}) => {
  const release = await holdFormScript(page);
  await page.goto('/');
  const form = page.getByRole('form', { name: FOUNDER.section });
  const button = form.getByRole('button', { name: 'Join the List' });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click();
  await expectToast(page, 'Email required', 'Please enter your email address.');
  await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'false');
  release();
  await expect(form.getByText('Please enter your email address.')).toBeVisible();
  await expect(form.getByLabel('Email')).toBeFocused();
  await expect(toasts(page)).toHaveCount(1);
  await expect(button).not.toHaveAttribute('aria-busy');
});

test('what is mended before the script has come is not sent by itself', async ({ page, site }) => {
  const email = uniqueAddress('mended');
  const release = await holdFormScript(page);
  await page.goto('/');
  const form = page.getByRole('form', { name: FOUNDER.section });
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expectToast(page, 'Email required', 'Please enter your email address.');
  await form.getByLabel('Email').fill(email);
  await form.getByRole('checkbox').check();
  release();
  await expectHydrated(page, form);
  expect(site.signUps().map((each) => each.email)).not.toContain(email);
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible();
});

test('a form whose script never comes posts by itself', async ({ page, site }) => {
  const email = uniqueAddress('scriptless');
  await page.route(FORM_SCRIPT, (route) => route.abort());
  await page.goto('/');
  const form = page.getByRole('form', { name: FOUNDER.section });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible({ timeout: 20_000 });
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('what is wrong is said by the field where the styles of messages do not come', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/late-*.css', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the List' }).first().click();
  await expect(page.getByText('Please enter your email address.').first()).toBeInViewport();
  await expect(page).toHaveURL('/');
  expect(errors).toEqual([]);
});

function findSection(page: Page, heading: string | RegExp) {
  return page.locator('section', { has: page.getByRole('heading', { name: heading }) });
}

/** The form, once it answers by itself. */
async function hydratedForm(page: Page, section: string | RegExp) {
  const region = findSection(page, section);
  await region.scrollIntoViewIfNeeded();
  const form = region.getByRole('form');
  await form.getByLabel('Email').focus();
  await expectHydrated(page, form);
  return form;
}

/** Fills in a form whose script does not come until `release` is called. */
async function fillInBeforeScript(page: Page, name: string) {
  const email = uniqueAddress(name);
  const release = await holdFormScript(page);
  await page.goto('/');
  const form = page.getByRole('form', { name: FOUNDER.section });
  await form.getByLabel('Email').fill(email);
  await form.getByRole('checkbox').check();
  return { email, form, release };
}

/** Keeps the form's script from coming, until what it returns is called. */
async function holdFormScript(page: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(FORM_SCRIPT, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

async function signUp(page: Page, section: string | RegExp, email: string) {
  const form = await hydratedForm(page, section);
  await form.getByLabel('Email').fill(email);
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Join the List' }).click();
}

function toasts(page: Page) {
  return page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
}

async function expectToast(page: Page, title: string, text: string) {
  const message = toasts(page)
    .filter({ has: page.getByText(title, { exact: true }) })
    .last();
  await expect(message).toContainText(text);
}

let addresses = 0;

function uniqueAddress(what: string): string {
  addresses += 1;
  return `${what.toLowerCase()}-${process.pid}-${Date.now()}-${addresses}@example.org`;
}
