import type { Content, MailCopy } from '#content/schemas/content-schema.ts';
import { MailLayout, type MailSite, Signature, Table } from './mail-layout.tsx';
import { makeMailStyles } from './mail-styles.ts';
import { LINK_SLOTS, type MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

export type SignUpMails = Record<keyof Content['mail'], MailTemplate>;

/**
 * The emails that respond to a sign-up, and those that ask for a renewal or about a new address. They contain nothing
 * that a visitor typed.
 */
export function renderSignUpMails(site: MailSite & Pick<Content, 'mail'>): SignUpMails {
  const { agency, mail } = site;
  const render = (copy: MailCopy, target: string) =>
    renderMail(copy.subject, <SignUpMail copy={copy} site={site} target={target} />);
  return {
    welcome: render(mail.welcome, agency.calendar),
    confirmation: render(mail.confirmation, LINK_SLOTS.confirm),
    renewal: render(mail.renewal, LINK_SLOTS.renew),
    newAddress: render(mail.newAddress, LINK_SLOTS.newAddress),
  };
}

/** @param target where the button leads */
function SignUpMail({ copy, site, target }: { copy: MailCopy; site: MailSite; target: string }) {
  const styles = makeMailStyles(site.brand);
  return (
    <MailLayout
      site={site}
      subject={copy.subject}
      preview={copy.paragraphs[0] ?? copy.heading}
      reason={copy.reason}
      unsubscribe={copy.unsubscribe}
    >
      <h1 style={styles.heading}>{copy.heading}</h1>
      {copy.paragraphs.map((paragraph) => (
        <p key={paragraph} style={styles.paragraph}>
          {paragraph}
        </p>
      ))}
      <Table width="auto" style={{ margin: '24px 0' }} cellStyle={styles.buttonCell}>
        <a href={target} style={styles.button}>
          {copy.button}
        </a>
      </Table>
      <Signature agency={site.agency} />
    </MailLayout>
  );
}
