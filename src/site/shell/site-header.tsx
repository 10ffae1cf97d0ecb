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

export function SiteHeader() {
  return (
    <header className={styles.header}>
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
