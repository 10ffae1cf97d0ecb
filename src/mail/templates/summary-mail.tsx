import type { Agency } from '#shared/agency-schema.ts';
import { describeSummary } from '../summary/describe-summary.ts';
import type { Summary } from '../summary/read-summary.ts';
import { drawBars } from '../summary/list-history.ts';
import { MAIL_STYLES, MailLayout } from './mail-layout.tsx';
import type { MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

/** The owner's weekly mail. */
export function renderSummaryMail(summary: Summary, agency: Agency): MailTemplate {
  const { joined, left } = summary.changes;
  const subject = `Your list this week: ${joined} new, ${left} unsubscribed`;
  return renderMail(subject, <SummaryMail summary={summary} agency={agency} subject={subject} />);
}

function SummaryMail({ summary, agency, subject }: { summary: Summary; agency: Agency; subject: string }) {
  const { needed, sections } = describeSummary(summary);
  return (
    <MailLayout
      agency={agency}
      subject={subject}
      preview={needed[0] ?? 'Nothing needs you.'}
      reason="You are receiving this on Mondays because your address is in the site’s settings (NOTIFY_TO). To stop it, set SUMMARY=off there."
    >
      <h1 style={MAIL_STYLES.heading}>{subject}</h1>
      {needed.length === 0 ? (
        <p style={MAIL_STYLES.paragraph}>Nothing needs you.</p>
      ) : (
        <>
          <h2 style={MAIL_STYLES.subheading}>What needs you</h2>
          <List items={needed} />
        </>
      )}
      {sections.map(({ heading, rows }) => (
        <div key={heading}>
          <h2 style={MAIL_STYLES.subheading}>{heading}</h2>
          <List items={rows.map(([label, value]) => `${label}: ${value}`)} />
        </div>
      ))}
      <h2 style={MAIL_STYLES.subheading}>The list over a year</h2>
      <pre style={{ margin: '0 0 16px', fontSize: '14px' }}>{drawBars(summary.history)}</pre>
      <p style={MAIL_STYLES.paragraph}>People who were erased are not counted.</p>
    </MailLayout>
  );
}

function List({ items }: { items: string[] }) {
  return (
    <ul style={MAIL_STYLES.list}>
      {items.map((item) => (
        <li key={item} style={MAIL_STYLES.listItem}>
          {item}
        </li>
      ))}
    </ul>
  );
}
