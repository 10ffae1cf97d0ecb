import { agency } from 'virtual:content';
import { LogoMark } from '#site/ui/logo-mark.tsx';
import styles from './site-header.module.css';

const ANCHORS = [
  ['Focus', '/#focus'],
  ['Process', '/#process'],
  ['Founder', '/#founder'],
  ['FAQ', '/#faq'],
  ['Contact', '/#contact'],
] as const;

/** `clear` lets the green of the section below show through; otherwise the header brings its own. */
export function SiteHeader({ clear = false }: { clear?: boolean }) {
  return (
    <header className={`${styles.header} ${clear ? styles.clear : ''}`}>
      <div className={styles.inner}>
        <a className={styles.home} href="/">
          <LogoMark />
          <span>{agency.name}</span>
        </a>
        <nav className={styles.nav} aria-label="Sections">
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
      </div>
    </header>
  );
}
