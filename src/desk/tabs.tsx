import { Dot } from './ui.tsx';

type TabsProps = { label: string; links: { href: string; label: string; isChosen: boolean }[] };

/** @property links of which one is chosen */
export function Tabs({ label, links }: TabsProps) {
  return (
    <nav className="tabs line" aria-label={label}>
      {links.map(({ href, label: text, isChosen }) => (
        <a key={text} href={href} aria-current={isChosen ? 'true' : undefined}>
          {isChosen && <Dot kind="chosen" />} {text}
        </a>
      ))}
    </nav>
  );
}
