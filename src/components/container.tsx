import type { ComponentProps } from 'react';
import styles from './container.module.css';

type ContainerProps = ComponentProps<'div'>;

/** The column that all parts of a page share, within a part with a full-width background. */
export function Container({ className = '', ...props }: ContainerProps) {
  return <div className={`${styles.container} ${className}`} {...props} />;
}
