import type { OwnerTask } from '../weekly-mail/find-owner-tasks.ts';
import { describeReport, type WeekReport } from '../weekly-mail/read-week.ts';
import { MailLayout, type MailSite } from './mail-layout.tsx';
import { makeMailStyles } from './mail-styles.ts';
import type { MailTemplate } from './mail-template.ts';
import { OPEN_DESK } from './notices.ts';
import { renderMail } from './render-mail.ts';

/** @property backups when the last one was made, and where they are */
type Week = { report: WeekReport; tasks: OwnerTask[]; backups: string };

/** Renders the owner's weekly email. */
export function renderWeeklyMail({ report, tasks, backups }: Week, site: MailSite): MailTemplate {
  const styles = makeMailStyles(site.brand);
  const subject = `Your list this week: ${report.changes.joined} new, ${report.changes.left} unsubscribed`;
  const sentences = tasks.map(({ title, cause }) => `${title}. ${cause}`);
  const needed =
    tasks.length === 0 ? ['Nothing needs your attention.'] : [...sentences, `To deal with it, ${OPEN_DESK}.`];
  return renderMail(
    subject,
    <MailLayout
      site={site}
      subject={subject}
      preview={needed[0]!}
      language="en-GB"
      reason="You are receiving this on Mondays because your address is in the settings of the site. To stop it, open Settings on your desk."
    >
      <List styles={styles} heading="What needs your attention" items={needed} />
      <List styles={styles} heading="Your list" items={describeReport(report).map((row) => row.join(': '))} />
      <List styles={styles} heading="Your backups" items={[backups]} />
    </MailLayout>,
  );
}

type ListProps = { heading: string; items: string[]; styles: ReturnType<typeof makeMailStyles> };

function List({ heading, items, styles }: ListProps) {
  return (
    <>
      <h1 style={styles.subheading}>{heading}</h1>
      <ul style={styles.list}>
        {items.map((item) => (
          <li key={item} style={styles.listItem}>
            {item}
          </li>
        ))}
      </ul>
    </>
  );
}
