import { chooseEssential } from './cookie-banner.ts';
import { expect, test } from './site.ts';

test('a footer icon shows its name after a pause, and hides it on leave, Escape, press and scroll', async ({
  page,
}) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
  const mail = page.getByRole('contentinfo').getByRole('link', { name: 'Send an email' });
  const tooltip = page.getByRole('tooltip', { name: 'Send an email' });
  // No email program opens here, but the press is enough.
  await mail.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
  const leave = () => page.mouse.move(10, 10);
  const press = async () => {
    await page.mouse.down();
    await expect(mail).toBeFocused();
    await expect(tooltip).toHaveCount(0);
    await page.mouse.up();
  };
  for (const hide of [leave, () => page.keyboard.press('Escape'), press, () => page.mouse.wheel(0, -300)]) {
    // Tooltips react to a pointer that moves the way a hand moves it.
    await expect(async () => {
      await leave();
      await mail.hover();
      await expect(tooltip).toBeVisible({ timeout: 1500 });
    }).toPass();
    await hide();
    await expect(tooltip).toHaveCount(0);
  }
});

test('a footer icon shows its name on the very first focus and hover, until the pointer leaves both', async ({
  page,
}) => {
  await page.addInitScript(chooseEssential);
  // A page that fits on the screen: scrolling would hide a tooltip.
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.goto('/nowhere');
  const book = page.getByRole('contentinfo').getByRole('link', { name: 'Book a call' });
  const tooltip = page.getByRole('tooltip', { name: 'Book a call' });
  await page.getByRole('main').getByRole('link').focus();
  await page.keyboard.press('Tab');
  await expect(book).toBeFocused();
  await expect(tooltip).toBeVisible();
  await book.blur();
  await expect(tooltip).toHaveCount(0);

  await page.reload();
  await book.hover();
  await expect(tooltip).toBeVisible();
  // The tooltip stays while the pointer is on it or on its way to it.
  const [link, text] = [(await book.boundingBox())!, (await tooltip.boundingBox())!];
  const gap = (text.y + text.height + link.y) / 2;
  for (const y of [link.y + 1, gap, text.y + text.height / 2, gap, text.y + text.height / 2]) {
    await page.mouse.move(link.x + link.width / 2, y);
    await expect(tooltip).toBeVisible();
  }
  await page.mouse.move(10, 10);
  await expect(tooltip).toHaveCount(0);
});

test('the skip link comes first and leads to the content', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
