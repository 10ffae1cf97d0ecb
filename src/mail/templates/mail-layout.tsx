import { Body } from '@react-email/body';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Html } from '@react-email/html';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import type { CSSProperties, ReactNode } from 'react';
import { addressLine, companyLine } from '#shared/company-line.ts';
import type { Agency } from '#shared/content-schema.ts';
import { LINK_SLOTS } from './mail-template.ts';
import { MAIL_TOKENS, type MailColour } from './mail-tokens.ts';

/**
 * What every mail but the one-line notices looks like: one column of 600 px that reads well without images, light and
 * dark.
 * @param preview the line that inboxes show after the subject
 * @param reason why the reader gets this mail, in a sentence
 * @param unsubscribe the words of the unsubscribe link; a mail to the agency has none
 */
export function MailLayout({
  agency,
  subject,
  preview,
  reason,
  unsubscribe,
  children,
}: {
  agency: Agency;
  subject: string;
  preview: string;
  reason: string;
  unsubscribe?: string;
  children: ReactNode;
}) {
  return (
    <Html lang="en-GB">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </Head>
      <Body className="paper" style={{ ...PAPER, padding: '24px 12px' }}>
        <Preview>{preview}</Preview>
        <Container className="card" style={CARD}>
          <Section className="band" style={BAND}>
            <span className="dot" style={{ color: light.sun }}>
              ●
            </span>{' '}
            {agency.name}
          </Section>
          <Section className="body" style={{ padding: '20px 32px 28px' }}>
            {children}
          </Section>
        </Container>
        <Container className="foot" style={FOOT}>
          <p className="soft" style={SMALL_PRINT}>
            {reason}{' '}
            {unsubscribe !== undefined && (
              <a className="soft" href={LINK_SLOTS.unsubscribe} style={{ color: light.soft }}>
                {unsubscribe}
              </a>
            )}
          </p>
          <p className="soft" style={SMALL_PRINT}>
            {officeOf(agency)}
          </p>
        </Container>
      </Body>
    </Html>
  );
}

/** The founder's name under a mail. */
export function Signature({ agency }: { agency: Agency }) {
  return (
    <p style={MAIL_STYLES.paragraph}>
      {agency.founder.name}
      <br />
      {agency.name}
    </p>
  );
}

const { light, dark, serif, sans } = MAIL_TOKENS;

/** The styles that the parts of a mail share; mail programs want them on each element. */
export const MAIL_STYLES = {
  heading: { margin: '16px 0 12px', font: `500 30px/1.15 ${serif}`, letterSpacing: '-0.02em' },
  subheading: { margin: '28px 0 8px', font: `500 22px/1.25 ${serif}`, letterSpacing: '-0.01em' },
  paragraph: { margin: '0 0 16px' },
  list: { margin: '0 0 16px', paddingLeft: '24px' },
  listItem: { margin: '0 0 8px' },
  quote: { margin: '0 0 16px', padding: '0 0 0 16px', borderLeft: `3px solid ${light.sun}` },
  rule: { margin: '28px 0', border: 'none', borderTop: `1px solid ${light.line}` },
  image: { display: 'block', width: '100%', height: 'auto', margin: '0 0 16px', borderRadius: '12px' },
  link: { color: light.amber },
  button: {
    padding: '14px 28px',
    borderRadius: '999px',
    background: light.sun,
    color: light['on-sun'],
    fontWeight: 600,
    textDecoration: 'none',
  },
} satisfies Record<string, CSSProperties>;

const PAPER: CSSProperties = { background: light.paper, color: light.ink, font: `17px/1.6 ${sans}` };
const CARD: CSSProperties = {
  maxWidth: '600px',
  background: light.card,
  border: `1px solid ${light.line}`,
  borderRadius: '20px',
  // A rounded border needs its own space: with a table's default the corners would be square.
  borderCollapse: 'separate',
  overflow: 'hidden',
};
const BAND: CSSProperties = {
  background: light.deep,
  color: light['on-deep'],
  padding: '20px 32px',
  font: `500 20px/1.2 ${serif}`,
};
const FOOT: CSSProperties = { maxWidth: '600px', padding: '20px 32px 0' };
const SMALL_PRINT: CSSProperties = { margin: '0 0 12px', fontSize: '14px', color: light.soft };

/** Classes that carry a colour of their own in the dark; what has none keeps its colour. */
const DARK: Record<string, Partial<Record<'background' | 'color' | 'border-color', MailColour>>> = {
  'body, .paper, .paper > table > tbody > tr > td': { background: 'paper', color: 'ink' },
  '.card': { background: 'card', 'border-color': 'line' },
  '.soft': { color: 'soft' },
  '.link': { color: 'amber' },
  hr: { 'border-color': 'line' },
};

const STYLES = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .band, .body, .foot { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
${Object.entries(DARK)
  .map(([selector, colours]) => {
    const rules = Object.entries(colours).map(([property, colour]) => `${property}: ${dark[colour]} !important;`);
    return `${selector} { ${rules.join(' ')} }`;
  })
  .join('\n')}
}`;

/** A company's mail names it as its letters do (Companies Act 2006, section 82). */
function officeOf(agency: Agency): string {
  return `${companyLine(agency)}, ${addressLine(agency)}`;
}
