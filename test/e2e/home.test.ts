import { content } from '../test-content.ts';
import { chooseEssential } from './cookie-banner.ts';
import { expect, type Page, PAGES, test } from './site.ts';

const { agency, home, faq } = content;

test('the page has its sections in the order of the specification', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(home.hero.headline);
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  const specified = [
    home.intro.heading,
    home.focus.heading,
    home.process.heading,
    home.founder.heading,
    home.earlySignUp.heading,
    faq.heading,
    home.contact.heading,
    home.footerSignUp.heading,
  ];
  // A section that an owner had added may stand between them.
  expect(headings.filter((heading) => specified.includes(heading))).toEqual(specified);
});

test('a visitor can book, write, find the office and the founder, without losing the page', async ({ page }) => {
  await page.goto('/');
  const main = page.getByRole('main');
  for (const { name, count, href } of [
    { name: home.hero.book, count: 2, href: agency.calendar },
    { name: home.process.book, count: 1, href: agency.calendar },
    { name: agency.location.label, count: 1, href: agency.location.map },
  ]) {
    const links = main.getByRole('link', { name: new RegExp(`^${name}`) });
    await expect(links).toHaveCount(count);
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute('href', href);
      await expect(link).toHaveAttribute('target', '_blank');
    }
  }
  const address = agency.email;
  for (const name of [home.hero.talk, home.contact.message, address]) {
    await expect(main.getByRole('link', { name })).toHaveAttribute('href', `mailto:${address}`);
  }
  const employers = page.locator('#founder').getByRole('link');
  await expect(employers).toHaveCount(2);
  // Brackets around anything else stay.
  await expect(page.locator('#founder')).toContainText('[sic]');
  for (const employer of await employers.all()) await expect(employer).toHaveAttribute('rel', /nofollow/);

  const terms = await page.getByRole('link', { name: 'Request Terms' }).getAttribute('href');
  const mail = new URL(terms ?? '');
  expect(mail.pathname).toBe(address);
  expect(mail.searchParams.get('body')).toContain('standard Terms of Business');
});

test('one answer is open at a time, as all are the browser’s own of one name', async ({ page }) => {
  await page.goto('/');
  const names = await page.locator('#faq details').evaluateAll((all) => all.map((each) => each.getAttribute('name')));
  expect(names).toEqual(Array(faq.items.length).fill('faq'));
});

test('a footer icon shows its name after a pause, and hides it on leaving, Escape, press and scroll', async ({
  page,
}) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
  const mail = page.getByRole('contentinfo').getByRole('link', { name: 'Send an email' });
  const tooltip = page.getByRole('tooltip', { name: 'Send an email' });
  // No mail program opens here, but the press counts.
  await mail.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
  const leave = () => page.mouse.move(10, 10);
  const press = async () => {
    await page.mouse.down();
    await expect(mail).toBeFocused();
    await expect(tooltip).toHaveCount(0);
    await page.mouse.up();
  };
  for (const hide of [leave, () => page.keyboard.press('Escape'), press, () => page.mouse.wheel(0, -300)]) {
    // Tooltips answer to a pointer that moves, as a hand's does.
    await expect(async () => {
      await leave();
      await mail.hover();
      await expect(tooltip).toBeVisible({ timeout: 1500 });
    }).toPass();
    await hide();
    await expect(tooltip).toHaveCount(0);
  }
});

test('a footer icon shows its name on the very first focus and hover, though its script comes with them', async ({
  page,
}) => {
  const { book, tooltip } = await openBesideFooterIcon(page);
  await page.getByRole('main').getByRole('link').focus();
  await page.keyboard.press('Tab');
  await expect(book).toBeFocused();
  await expect(tooltip).toBeVisible();
  await book.blur();
  await expect(tooltip).toHaveCount(0);

  await page.reload();
  await book.hover();
  await expect(tooltip).toBeVisible();
});

test('a tooltip stays while the pointer is on it or on its way to it, and goes when the pointer leaves both', async ({
  page,
}) => {
  const { book, tooltip } = await openBesideFooterIcon(page);
  await book.hover();
  await expect(tooltip).toBeVisible();
  const [link, text] = [(await book.boundingBox())!, (await tooltip.boundingBox())!];
  const gap = (text.y + text.height + link.y) / 2;
  for (const y of [link.y + 1, gap, text.y + text.height / 2, gap, text.y + text.height / 2]) {
    await page.mouse.move(link.x + link.width / 2, y);
    await expect(tooltip).toBeVisible();
  }
  await page.mouse.move(10, 10);
  await expect(tooltip).toHaveCount(0);
});

test('the skip link is the first stop and leads to the content', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

for (const path of PAGES) {
  test(`nothing of ${path} is wider than the screen, nor with text twice the size or long words`, async ({ page }) => {
    await page.goto(path);
    for (const fontSize of ['100%', '200%']) {
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), fontSize);
      for (const width of [320, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${width} px, text of ${fontSize}`).toBeLessThanOrEqual(0);
      }
    }
    await page.evaluate(() => (document.documentElement.style.fontSize = '100%'));
    await page.setViewportSize({ width: 320, height: 900 });
    const cut = await page.getByRole('heading').evaluateAll((headings) => {
      for (const heading of headings) heading.textContent = 'Donaudampfschifffahrtsgesellschaftskapitän';
      return headings.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
    });
    expect(cut).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
}

/** Opens a page that is seen whole, with no banner: a scroll or a shift would hide a tooltip again. */
async function openBesideFooterIcon(page: Page) {
  await page.addInitScript(chooseEssential);
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.goto('/nowhere');
  const book = page.getByRole('contentinfo').getByRole('link', { name: 'Book a call' });
  return { book, tooltip: page.getByRole('tooltip', { name: 'Book a call' }) };
}
