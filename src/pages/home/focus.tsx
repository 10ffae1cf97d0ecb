import { useContent } from '#layout/site-context.ts';
import { Divider } from '#components/divider.tsx';
import { Container } from '#components/container.tsx';
import styles from './focus.module.css';

export function Focus() {
  const { home } = useContent();
  const { heading, areas, closing, closingAccent } = home.focus;
  return (
    <section id="focus" className={styles.focus}>
      <Divider shape="angle" />
      <Container className={styles.inner}>
        <h2>{heading}</h2>
        <div className={styles.areas}>
          {areas.map(({ title, roles, figure, note }) => (
            <div key={title} className={styles.area}>
              <h3 className={styles.title}>{title}</h3>
              <ul role="list">
                {roles.map((role) => (
                  <li key={role} className={styles.role}>
                    {role}
                  </li>
                ))}
              </ul>
              <p className={styles.note}>
                {figure && <span className={styles.figure}>{`${figure} `}</span>}
                <span>{note}</span>
              </p>
            </div>
          ))}
        </div>
        <p className={styles.closing}>
          {`${closing} `}
          <span className={styles.accent}>{closingAccent}</span>
        </p>
      </Container>
      <Divider shape="angle" flipped />
    </section>
  );
}
