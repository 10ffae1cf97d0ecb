import type { Agency } from '#content/schemas/agency-schema.ts';
import { useContent, useSite } from './site-context.ts';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { Fragment } from 'react';
import { listCompanyDetails, toTelephoneUrl, formatTelephone } from '#content/company-details.ts';
import { COOKIE_SETTINGS } from '#client/cookie-banner/banner-parts.ts';
import { Container } from '#components/container.tsx';
import { IconLinks } from './icon-links.tsx';
import styles from './site-footer.module.css';

/** The loader replaces it with the current year. */
const YEAR_OF_BUILD = new Date().getFullYear();

export function SiteFooter() {
  const { agency } = useContent();
  const { founder } = agency;
  return (
    <footer className={styles.footer}>
      <Container className={styles.inner}>
        <div className={styles.top}>
          <div>
            <p className={styles.name}>{agency.name}</p>
            <p className={styles.quiet}>{agency.descriptor}</p>
            <p className={styles.quiet}>{agency.tagline.join(' · ')}</p>
          </div>
          <IconLinks
            links={[
              { icon: 'calendar', label: 'Book a call', href: agency.calendar, newTab: true },
              { icon: 'mail', label: 'Send an email', href: `mailto:${agency.email}`, newTab: false },
              {
                icon: 'profile',
                label: `${founder.name} on the ${founder.profileNetwork}`,
                href: founder.profile,
                newTab: true,
              },
            ]}
          />
          <LegalLinks />
        </div>
        <CompanyFacts />
      </Container>
    </footer>
  );
}

function LegalLinks() {
  const { content, footerLinks } = useSite();
  const { labels } = content.pages;
  return (
    <nav aria-label="Legal">
      <ul role="list" className={styles.links}>
        {footerLinks.map(({ path, label }) => (
          <li key={path}>
            <a className={styles.link} href={path}>
              {label}
            </a>
          </li>
        ))}
        <li>
          <a className={styles.link} href={writeTermsLink(content.agency)}>
            {labels.requestTerms}
          </a>
        </li>
        <li>
          {/* Without scripts nothing optional can load, and the link leads to the policy's section on cookies. */}
          <a className={styles.link} href="/privacy-policy#cookies" {...{ [COOKIE_SETTINGS]: '' }}>
            {labels.cookieSettings}
          </a>
        </li>
        {/* For requesting the terms if no email program opens. It has its own line: four links don't fit on one. */}
        <li className={styles.quiet}>{toReadableEmail(content.agency.email)}</li>
      </ul>
    </nav>
  );
}

function CompanyFacts() {
  const { agency } = useContent();
  const { registration, telephone, registeredOffice: office } = agency;
  return (
    <div className={styles.facts}>
      <p>
        {listCompanyDetails(agency).map((fact, index, facts) => (
          <Fragment key={fact}>
            <span className={styles.whole}>{`${fact}${index < facts.length - 1 ? ',' : '.'}`}</span>{' '}
          </Fragment>
        ))}
        <br />
        <span className={styles.whole}>{registration ? 'Registered office:' : 'Address:'}</span>{' '}
        <span className={styles.place}>{office.street},</span>{' '}
        <span className={styles.place}>{`${office.city} ${office.postcode}`}</span>
      </p>
      <ul role="list">
        {telephone !== undefined && (
          <li>
            <a className={styles.fact} href={toTelephoneUrl(telephone)}>
              {formatTelephone(telephone)}
            </a>
          </li>
        )}
        <li>
          <a className={styles.fact} href={`mailto:${agency.email}`}>
            {toReadableEmail(agency.email)}
          </a>
        </li>
        <li>
          <a className={styles.fact} href={agency.website}>
            {new URL(agency.website).host}
          </a>
        </li>
      </ul>
      <p className={styles.last}>
        © <span data-year="">{YEAR_OF_BUILD}</span>
        {` ${agency.name}`}
        <br />
        {agency.bottomLine}
      </p>
    </div>
  );
}

function writeTermsLink(agency: Agency): string {
  const subject = 'Request for Terms of Business';
  const body = `Hello,\n\nPlease send me the standard Terms of Business of ${agency.name}.\n\nCompany:\nName:\n\nThank you.`;
  return `mailto:${agency.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
}
