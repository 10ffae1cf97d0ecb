import type { ComponentProps } from 'react';
import styles from './container.module.css';

type SectionProps = ComponentProps<'section'>;

/** A section of a page, in the column that all sections share. */
export function Section({ className = '', ...props }: SectionProps) {
  return <section className={`${styles.container} ${className}`} {...props} />;
}
