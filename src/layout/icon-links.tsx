import roundButton from '../components/round-button.module.css';
import { NEW_TAB } from '#components/new-tab-note.tsx';
import styles from './icon-links.module.css';
import tooltipStyles from './tooltip.module.css';

const ICONS = {
  calendar:
    'M7 3v4M17 3v4M4 10h16M5.5 5h13A1.5 1.5 0 0 1 20 6.5v12a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-12A1.5 1.5 0 0 1 5.5 5',
  mail: 'M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5M3.5 7.5l8.5 6 8.5-6',
  profile: 'M12 11.5a3.75 3.75 0 1 0 0-7.5a3.75 3.75 0 0 0 0 7.5M4.5 20.5c.4-4 3.5-6 7.5-6s7.1 2 7.5 6',
};

type IconLink = { icon: keyof typeof ICONS; label: string; href: string; newTab: boolean };

type IconLinksProps = { links: IconLink[] };

/** Round icon links, each named in a tooltip that src/client/tooltips.ts shows and hides. */
export function IconLinks({ links }: IconLinksProps) {
  return (
    <ul role="list" className={styles.links}>
      {links.map(({ icon, label, href, newTab }) => (
        <li key={icon} className={styles.item} data-tooltip="">
          <a
            className={`${roundButton.button} ${styles.link}`}
            href={href}
            aria-labelledby={`${icon}-tooltip`}
            {...(newTab && { target: '_blank', rel: 'noopener' })}
          >
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
              <path d={ICONS[icon]} />
            </svg>
          </a>
          <span className={tooltipStyles.tooltip} id={`${icon}-tooltip`} role="tooltip" hidden>
            {newTab ? `${label} ${NEW_TAB}` : label}
          </span>
        </li>
      ))}
    </ul>
  );
}
