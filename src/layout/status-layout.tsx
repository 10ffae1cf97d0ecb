import { useContent } from './site-context.ts';
import type { ReactNode } from 'react';
import { ButtonLink } from '#components/button.tsx';
import { DotField } from '#components/dot-field.tsx';
import { Eyebrow } from '#components/eyebrow.tsx';
import { Container } from '#components/container.tsx';
import { PageLayout } from './page-layout.tsx';
import styles from './status-layout.module.css';

type StatusLayoutProps = {
  eyebrow?: string;
  heading: string;
  lit?: boolean;
  action?: ReactNode;
  children: ReactNode;
};

/**
 * A page with one message, on the hero's green.
 * @param props.lit whether the three finalists are highlighted
 * @param props.action what to do next; by default a link to the home page
 */
export function StatusLayout({ eyebrow, heading, lit = false, action, children }: StatusLayoutProps) {
  return (
    <PageLayout className={styles.main}>
      <Container className={styles.inner}>
        <div className={styles.words}>
          <div>
            {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
            <h1>{heading}</h1>
          </div>
          {children}
          {action ?? <BackHome />}
        </div>
        <DotField className={`${styles.art} ${lit ? '' : styles.unlit}`} />
      </Container>
    </PageLayout>
  );
}

function BackHome() {
  const { pages } = useContent();
  return (
    <p>
      <ButtonLink variant="primary" href="/">
        {pages.backHome}
      </ButtonLink>
    </p>
  );
}
