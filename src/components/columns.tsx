import type { ReactNode } from 'react';
import styles from './columns.module.css';

type ColumnsProps = { ordered?: boolean; className: string | undefined; children: ReactNode[] };

/**
 * A list of similar items in even columns: with two to six items, none is alone in a row on a wide screen.
 * @param ordered whether the order of the items matters
 */
export function Columns({ ordered = false, className, children }: ColumnsProps) {
  const List = ordered ? 'ol' : 'ul';
  const columns = { 2: styles.two, 4: styles.four }[children.length] ?? styles.three;
  return (
    // The linter doesn't see that this is a list.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <List role="list" className={`${styles.columns} ${columns} ${className ?? ''}`}>
      {children}
    </List>
  );
}
