import { agency, home } from 'virtual:content';
import { ButtonLink } from '#site/ui/button-link.tsx';
import { LogoMark } from '#site/ui/logo-mark.tsx';
import styles from './site-header.module.css';

const ANCHORS = [
  ['Focus', '/#focus'],
  ['Process', '/#process'],
  ['Founder', '/#founder'],
  ['FAQ', '/#faq'],
  ['Contact', '/#contact'],
] as const;

/**
 * The bar that stays with the reader.
 * @param overHero the green of the hero shows through until it is left, and its own call takes the place of the bar's
 */
export function SiteHeader({ overHero = false }: { overHero?: boolean }) {
  return (
    <header className={`${styles.header} ${overHero ? styles.overHero : ''}`}>
      <div className={styles.inner}>
        <a className={styles.home} href="/">
          <LogoMark />
          <span className={styles.name}>{agency.name}</span>
        </a>
        <nav className={styles.nav} aria-label="Sections">
          <button type="button" className={styles.menu} popoverTarget="menu">
            Menu
          </button>
          {/* A latch: the list outside it shows while it is open, so that a tap on a link closes it without script. */}
          <div id="menu" popover="auto" />
          <ul className={styles.list}>
            {ANCHORS.map(([label, href]) => (
              <li key={href}>
                <a className={styles.link} href={href}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p className={styles.call}>
          <ButtonLink variant="primary" href={agency.calendar} newTab compact>
            {home.hero.book}
          </ButtonLink>
        </p>
      </div>
    </header>
  );
}
