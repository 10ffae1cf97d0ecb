import type { SiteContent } from '#content/site-content.ts';
import { useContent } from '#layout/site-context.ts';
import { formatAddress, formatCompany, toTelephoneUrl, formatTelephone } from '#content/company-details.ts';
import type { MarkdownContent } from '#content/schemas/content-schema.ts';
import type { SitePage } from '#layout/page.ts';
import { PageLayout } from '#layout/page-layout.tsx';
import { breadcrumb } from '#layout/structured-data.ts';
import { ButtonLink } from '#components/button.tsx';
import { CookieTable } from './cookie-table.tsx';
import styles from './markdown-page.module.css';

/** @param content a page from content/pages/, or the privacy policy */
export function toSitePage(content: MarkdownContent, { agency, pages, privacyPolicy }: SiteContent): SitePage {
  const { path, title, description, heading, footer } = content;
  return {
    path,
    title,
    description,
    share: { eyebrow: agency.legalName, headline: heading },
    footer: content === privacyPolicy ? pages.labels.privacyPolicy : footer,
    graph: (origin) => [breadcrumb(origin, content)],
    body: <MarkdownPage content={content} />,
  };
}

type MarkdownPageProps = { content: MarkdownContent };

function MarkdownPage({ content }: MarkdownPageProps) {
  const { pages, privacyPolicy } = useContent();
  const { heading, lastUpdated, sections } = content;
  return (
    <PageLayout className={styles.page}>
      <nav aria-label="Breadcrumb">
        <ol role="list" className={styles.trail}>
          <li>
            <a className={styles.home} href="/">
              {pages.labels.home}
            </a>
          </li>
          <li aria-current="page">{heading}</li>
        </ol>
      </nav>
      <h1 className={styles.heading}>{heading}</h1>
      <p className={styles.updated}>Last updated: {lastUpdated}</p>
      {sections.map(({ id, heading: title, html }, index) => (
        <section key={id} id={id}>
          <h2 id={`${id}-heading`} className={styles.title}>
            {index + 1}. {title}
          </h2>
          {/* The build makes this from Markdown, and lets no other markup through. */}
          <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />
          {content === privacyPolicy && id === 'cookies' && <CookieTable />}
        </section>
      ))}
      <CompanyDetails />
      <p className={styles.back}>
        <ButtonLink variant="secondary" href="/">
          {pages.backHome}
        </ButtonLink>
      </p>
    </PageLayout>
  );
}

function CompanyDetails() {
  const { agency } = useContent();
  const { legalName, registration, telephone, email } = agency;
  return (
    <address className={styles.company}>
      <strong>{registration ? legalName : formatCompany(agency)}</strong>
      <br />
      {formatAddress(agency)}
      <br />
      {registration && (
        <>
          Registered in {registration.place}, company number {registration.number}
          <br />
        </>
      )}
      {telephone !== undefined && (
        <>
          <a href={toTelephoneUrl(telephone)}>{formatTelephone(telephone)}</a>
          <br />
        </>
      )}
      <a href={`mailto:${email}`}>{email}</a>
    </address>
  );
}
