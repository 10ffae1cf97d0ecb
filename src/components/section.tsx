import type { ComponentProps } from 'react';
import styles from './container.module.css';

type SectionProps = ComponentProps<'section'>;

/** A part of a page in the column that all of them share. */
export function Section({ className = '', ...props }: SectionProps) {
  return <section className={`${styles.container} ${className}`} {...props} />;
}
