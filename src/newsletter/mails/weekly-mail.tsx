import type { Agency } from '#content/schemas/agency-schema.ts';
import type { Need } from '../weekly-mail/find-needs.ts';
import { describeReport, type Report } from '../weekly-mail/read-week.ts';
import { MAIL_STYLES, MailLayout } from './mail-layout.tsx';
import type { MailTemplate } from './mail-template.ts';
import { OPEN_DESK } from './notices.ts';
import { renderMail } from './render-mail.ts';

/** The owner's weekly mail. */
export function renderWeeklyMail(report: Report, needs: Need[], agency: Agency): MailTemplate {
  const subject = `Your list this week: ${report.changes.joined} new, ${report.changes.left} unsubscribed`;
  const sentences = needs.map(({ title, cause }) => `${title}. ${cause}`);
  const needed = needs.length === 0 ? ['Nothing needs you.'] : [...sentences, `To see to it, ${OPEN_DESK}.`];
  return renderMail(
    subject,
    <MailLayout
      agency={agency}
      subject={subject}
      preview={needed[0]!}
      reason="You are receiving this on Mondays because your address is in the site’s settings (NOTIFY_TO). To stop it, set SUMMARY=off there."
    >
      <List heading="What needs you" items={needed} />
      <List heading="Your list" items={describeReport(report).map((row) => row.join(': '))} />
    </MailLayout>,
  );
}

function List({ heading, items }: { heading: string; items: string[] }) {
  return (
    <>
      <h1 style={MAIL_STYLES.subheading}>{heading}</h1>
      <ul style={MAIL_STYLES.list}>
        {items.map((item) => (
          <li key={item} style={MAIL_STYLES.listItem}>
            {item}
          </li>
        ))}
      </ul>
    </>
  );
}
