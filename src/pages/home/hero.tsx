import { useContent } from '#layout/site-context.ts';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { ButtonLink } from '#components/button.tsx';
import { Divider } from '#components/divider.tsx';
import { DotField } from '#components/dot-field.tsx';
import { Eyebrow } from '#components/eyebrow.tsx';
import { Container } from '#components/container.tsx';
import styles from './hero.module.css';

export function Hero() {
  const { agency, home } = useContent();
  const { hero } = home;
  return (
    <section id="hero" className={styles.hero}>
      <Container className={styles.inner}>
        <Eyebrow>{agency.tagline.join(' · ')}</Eyebrow>
        <h1>{hero.headline}</h1>
        <p className={styles.pitch}>{hero.pitch}</p>
        <p className={styles.actions}>
          <ButtonLink variant="primary" href={agency.calendar} newTab>
            {hero.book}
          </ButtonLink>
          <ButtonLink variant="outline" href={`mailto:${agency.email}`}>
            {hero.talk}
          </ButtonLink>
          <a className={styles.address} href={`mailto:${agency.email}`}>
            {toReadableEmail(agency.email)}
          </a>
        </p>
      </Container>
      <DotField className={styles.art} />
      <Divider shape="wave" />
    </section>
  );
}
