import type { Agency } from '#content/schemas/agency-schema.ts';
import type { Content, MailCopy } from '#content/schemas/content-schema.ts';
import { MAIL_STYLES, MailLayout, Signature, Table } from './mail-layout.tsx';
import { LINK_SLOTS, type MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

export type SignUpMails = Record<keyof Content['mail'], MailTemplate>;

/** The mails that answer a sign-up, and the one that asks for a renewal. They contain nothing that a visitor typed. */
export function renderSignUpMails({ agency, mail }: Pick<Content, 'agency' | 'mail'>): SignUpMails {
  const render = (copy: MailCopy, target: string) =>
    renderMail(copy.subject, <SignUpMail copy={copy} agency={agency} target={target} />);
  return {
    welcome: render(mail.welcome, agency.calendar),
    confirmation: render(mail.confirmation, LINK_SLOTS.confirm),
    renewal: render(mail.renewal, LINK_SLOTS.renew),
  };
}

/** @param target where the button leads */
function SignUpMail({ copy, agency, target }: { copy: MailCopy; agency: Agency; target: string }) {
  return (
    <MailLayout
      agency={agency}
      subject={copy.subject}
      preview={copy.paragraphs[0] ?? copy.heading}
      reason={copy.reason}
      unsubscribe={copy.unsubscribe}
    >
      <h1 style={MAIL_STYLES.heading}>{copy.heading}</h1>
      {copy.paragraphs.map((paragraph) => (
        <p key={paragraph} style={MAIL_STYLES.paragraph}>
          {paragraph}
        </p>
      ))}
      <Table width="auto" style={{ margin: '24px 0' }} cellStyle={MAIL_STYLES.buttonCell}>
        <a href={target} style={MAIL_STYLES.button}>
          {copy.button}
        </a>
      </Table>
      <Signature agency={agency} />
    </MailLayout>
  );
}
