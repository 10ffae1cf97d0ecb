import type { ComponentProps } from 'react';
import styles from './container.module.css';

type ContainerProps = ComponentProps<'div'>;

/** The column that all sections share, inside a section with a full-width background. */
export function Container({ className = '', ...props }: ContainerProps) {
  return <div className={`${styles.container} ${className}`} {...props} />;
}
