import { useContent } from './site-context.ts';
import { ButtonLink } from '#components/button.tsx';
import { LogoMark } from '#components/logo-mark.tsx';
import { Container } from '#components/container.tsx';
import styles from './site-header.module.css';

const SECTIONS = ['focus', 'process', 'founder', 'faq', 'contact'] as const;

type SiteHeaderProps = { overHero?: boolean };

/**
 * The sticky header.
 * @param overHero makes it transparent and hides its call button until the hero is out of view
 */
export function SiteHeader({ overHero = false }: SiteHeaderProps) {
  const { agency, home, pages } = useContent();
  return (
    <header className={`${styles.header} ${overHero ? styles.overHero : ''}`}>
      <Container className={styles.inner}>
        <a className={styles.home} href="/">
          <Logo />
        </a>
        <nav className={styles.nav} aria-label="Sections">
          <button type="button" className={styles.menu} popoverTarget="menu">
            {pages.labels.menu}
          </button>
          {/* Only records whether the menu is open. The list is outside it, so a tap on a link closes the menu. */}
          <div id="menu" popover="auto" />
          <ul role="list" className={styles.list}>
            {SECTIONS.map((section) => (
              <li key={section}>
                <a className={styles.link} href={`/#${section}`}>
                  {pages.labels[section]}
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
      </Container>
    </header>
  );
}

/** The agency's own mark or the default one, with the name next to it unless the mark spells it. */
function Logo() {
  const { agency, brand, mark } = useContent();
  if (mark && !brand.nameBesideMark) return <img {...mark} alt={agency.name} />;
  return (
    <>
      {mark ? <img {...mark} alt="" /> : <LogoMark />}
      <span className={styles.name}>{agency.name}</span>
    </>
  );
}
