import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { MailLayout, type MailSite, Table } from '#newsletter/mails/mail-layout.tsx';
import { makeMailStyles } from '#newsletter/mails/mail-styles.ts';
import type { MailTemplate } from '#newsletter/mails/mail-template.ts';
import { renderMail } from '#newsletter/mails/render-mail.ts';
import { writeMessage } from '#newsletter/deliveries/smtp/mail-message.ts';
import type { MailTransport } from '#newsletter/deliveries/smtp/mail-transport.ts';
import { formatCode, LINK_MINUTES } from './sign-in-links.ts';

/**
 * Sends an email at once, on its own connection: it bypasses the queue and doesn't count towards any cap.
 * @throws {DeliveryFailure} with the reason why the mail server didn't accept it
 */
export async function sendDeskMail(
  { openTransport, content }: { openTransport: () => MailTransport; content: MailSite },
  to: string,
  mail: MailTemplate,
): Promise<void> {
  const id = randomUUID();
  const connection = openTransport().connect();
  try {
    const bytes = await writeMessage(mail, { id, to }, { agency: content.agency, unsubscribeTo: undefined });
    await connection.send({ id, to, bytes }, AbortSignal.timeout(SENDING_MS));
  } finally {
    connection.close();
  }
}

/** How long sending may take, in milliseconds: after that the link has expired. */
const SENDING_MS = LINK_MINUTES * 60_000;

/** Renders the email with a link and its code. @param url the link */
export function renderSignInMail(url: string, code: string, site: MailSite): MailTemplate {
  const styles = makeMailStyles(site.brand);
  return renderDeskMail(
    `Sign in to the desk of ${site.agency.name}`,
    site,
    <>
      <p style={styles.paragraph}>Open this link in the browser in which you asked for it, and press Sign in.</p>
      <Table width="auto" style={{ margin: '24px 0' }} cellStyle={styles.buttonCell}>
        <a href={url} style={styles.button}>
          Open your desk
        </a>
      </Table>
      <p style={styles.paragraph}>
        On another device? Type this code where you asked: <b>{formatCode(code)}</b>
      </p>
      <p style={styles.paragraph}>Both work for {LINK_MINUTES} minutes, once.</p>
      <p style={styles.paragraph}>
        You did not ask? Then somebody typed your address. Nobody can sign in without this email; delete it.
      </p>
    </>,
  );
}

/** Renders the email that says there is another way to sign in. @param desk the desk's URL */
export function renderNewWayIn(
  change: { address: string } | { passkey: string; of: string },
  desk: string,
  site: MailSite,
): MailTemplate {
  const { agency, brand } = site;
  const styles = makeMailStyles(brand);
  const what =
    'address' in change
      ? `${change.address} can now sign in to the desk of ${agency.name}.`
      : `${change.of} added a passkey to the desk of ${agency.name}: ${change.passkey}.`;
  return renderDeskMail(
    'address' in change ? 'A new address may open your desk' : 'A new passkey opens your desk',
    site,
    <>
      <p style={styles.paragraph}>{what}</p>
      <p style={styles.paragraph}>
        You know nothing of this? Remove it on your desk under Settings, and press Sign out everywhere: {desk}
      </p>
    </>,
  );
}

function renderDeskMail(subject: string, site: MailSite, children: ReactNode): MailTemplate {
  return renderMail(
    subject,
    <MailLayout
      site={site}
      subject={subject}
      preview={subject}
      language="en-GB"
      reason={`You are receiving this because your address may open the desk of ${site.agency.name}.`}
    >
      {children}
    </MailLayout>,
  );
}
