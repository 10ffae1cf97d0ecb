import { render } from '#site/islands/mount.tsx';
import { CookieBanner } from './cookie-banner.tsx';

let timesShown = 0;

/**
 * Shows the banner with what is stored now, whether or not it stands already.
 * @param opener the link that asked for it: the focus goes to the banner, and back there when it closes
 */
export function showBanner(opener?: HTMLElement): Promise<void> {
  timesShown += 1;
  const place = document.querySelector('#cookie-banner')!;
  return render(place, <CookieBanner key={timesShown} opener={opener} />);
}
