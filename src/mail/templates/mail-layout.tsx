import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { brand, mark } from '#content/site-content.ts';
import { addressLine, companyFacts } from '#shared/company-line.ts';
import type { Agency } from '#shared/agency-schema.ts';
import type { ColourToken } from '#shared/tokens.ts';
import { LINK_SLOTS } from './mail-template.ts';

/**
 * The layout of every mail but the one-line notices: one column of 600 px that reads well without images, light and
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
    <html lang="en-GB" dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="x-apple-disable-message-reformatting" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: writeStyles() }} />
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, background: brand.light.paper }}>
        <PreviewText text={preview} />
        <Table cellStyle={{ ...makePaper(), padding: '24px 12px' }}>
          <Table className="card" style={makeCard()}>
            <Table className="band" style={{ background: brand.light.deep }} cellStyle={makeBand()}>
              <Name agencyName={agency.name} />
            </Table>
            <Table className="body" cellStyle={{ padding: '20px 32px 28px', wordBreak: 'break-word' }}>
              {children}
            </Table>
          </Table>
          <Table className="foot" style={{ maxWidth: makeCard().maxWidth }} cellStyle={{ padding: '20px 32px 0' }}>
            <p className="soft" style={makeSmallPrint()}>
              {reason}{' '}
              {unsubscribe !== undefined && (
                <a
                  className="soft"
                  href={LINK_SLOTS.unsubscribe}
                  style={{ color: brand.light.soft, whiteSpace: 'nowrap' }}
                >
                  {unsubscribe}
                </a>
              )}
            </p>
            <CompanyFacts agency={agency} />
          </Table>
        </Table>
      </body>
    </html>
  );
}

/** The mark comes from the site at an address that stays the same; where pictures are blocked the name is there. */
function Name({ agencyName }: { agencyName: string }) {
  const isSpelt = mark !== undefined && !brand.nameBesideMark;
  const shape = mark === undefined ? 1 : mark.width / mark.height;
  const size = { width: Math.round(MARK_HEIGHT * shape), height: MARK_HEIGHT };
  return (
    <>
      <img
        src={`${LINK_SLOTS.site}/mark.png`}
        {...size}
        alt={isSpelt ? agencyName : ''}
        style={{ ...size, verticalAlign: 'middle' }}
      />
      {!isSpelt && <span style={{ verticalAlign: 'middle' }}>&nbsp; {agencyName}</span>}
    </>
  );
}

/** In CSS pixels. */
const MARK_HEIGHT = 32;

/** A company's mail names it as its letters do (Companies Act 2006, section 82). */
function CompanyFacts({ agency }: { agency: Agency }) {
  return (
    <p className="soft" style={makeSmallPrint()}>
      {[...companyFacts(agency), addressLine(agency)].map((fact, index, facts) => (
        // A line breaks between facts and, where it has the room, never within one.
        <Fragment key={fact}>
          <span style={{ display: 'inline-block' }}>{index < facts.length - 1 ? `${fact},` : fact}</span>{' '}
        </Fragment>
      ))}
    </p>
  );
}

/** A box of one cell: every mail program, even Outlook, gives it a width and a padding. */
export function Table({
  className,
  width = '100%',
  style,
  cellStyle,
  children,
}: {
  className?: string;
  width?: string;
  style?: CSSProperties;
  cellStyle?: CSSProperties;
  children: ReactNode;
}) {
  return (
    <table
      className={className}
      role="presentation"
      align={width === '100%' ? 'center' : undefined}
      width={width}
      border={0}
      cellPadding={0}
      cellSpacing={0}
      style={style}
    >
      <tbody>
        <tr>
          <td style={cellStyle}>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** The line that inboxes show after the subject; spaces without width keep them from showing the text that follows. */
function PreviewText({ text }: { text: string }) {
  const shown = text.slice(0, PREVIEW_LENGTH);
  return (
    <div className="preview" style={{ display: 'none', overflow: 'hidden', maxHeight: 0, opacity: 0 }}>
      {shown}
      {'\u00A0\u200C\u200B\u200D\u200E\u200F\uFEFF'.repeat(PREVIEW_LENGTH - shown.length)}
    </div>
  );
}

/** No inbox shows more, in characters. */
const PREVIEW_LENGTH = 150;

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

/** The styles that the parts of a mail share; mail programs want them on each element. */
export const MAIL_STYLES = {
  get heading() {
    return { margin: '16px 0 12px', font: `500 30px/1.15 ${brand.serif}`, letterSpacing: '-0.02em' };
  },
  get subheading() {
    return { margin: '28px 0 8px', font: `500 22px/1.25 ${brand.serif}`, letterSpacing: '-0.01em' };
  },
  paragraph: { margin: '0 0 16px' },
  list: { margin: '0 0 16px', paddingLeft: '24px' },
  listItem: { margin: '0 0 8px' },
  get quote() {
    return { margin: '0 0 16px', padding: '0 0 0 16px', borderLeft: `3px solid ${brand.light.sun}` };
  },
  get rule() {
    return { margin: '28px 0', border: 'none', borderTop: `1px solid ${brand.light.line}` };
  },
  image: { display: 'block', width: '100%', height: 'auto', margin: '0 0 16px', borderRadius: '12px' },
  get link() {
    return { color: brand.light.amber };
  },
  get button() {
    return {
      display: 'inline-block',
      padding: '14px 28px',
      lineHeight: 1.2,
      color: brand.light['on-sun'],
      fontWeight: 600,
      textDecoration: 'none',
    };
  },
  // A brand's accent may be as light as the card.
  get buttonCell() {
    return { border: `1px solid ${brand.light.line}`, borderRadius: '999px', background: brand.light.sun };
  },
} satisfies Record<string, CSSProperties>;

function makePaper(): CSSProperties {
  return { background: brand.light.paper, color: brand.light.ink, font: `17px/1.6 ${brand.sans}` };
}
function makeCard(): CSSProperties {
  return {
    maxWidth: '600px',
    background: brand.light.card,
    border: `1px solid ${brand.light.line}`,
    borderRadius: '20px',
    // A rounded border needs its own space: with a table's default the corners would be square.
    borderCollapse: 'separate',
    overflow: 'hidden',
  };
}
function makeBand(): CSSProperties {
  return {
    background: brand.light.deep,
    color: brand.light['on-deep'],
    padding: '20px 32px',
    font: `500 20px/1.2 ${brand.serif}`,
  };
}
function makeSmallPrint(): CSSProperties {
  return { margin: '0 0 12px', fontSize: '14px', color: brand.light.soft };
}

/** Classes that have another colour in the dark. */
const DARK: Record<string, Partial<Record<'background' | 'color' | 'border-color', ColourToken>>> = {
  '.paper, .paper > table > tbody > tr > td': { background: 'paper', color: 'ink' },
  '.card': { background: 'card', 'border-color': 'line' },
  '.soft': { color: 'soft' },
  '.link': { color: 'amber' },
  hr: { 'border-color': 'line' },
};

function writeStyles(): string {
  return `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { :is(.band, .body, .foot) > tbody > tr > td { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
${Object.entries(DARK)
  .map(([selector, colours]) => {
    const rules = Object.entries(colours).map(([property, colour]) => `${property}: ${brand.dark[colour]} !important;`);
    return `${selector} { ${rules.join(' ')} }`;
  })
  .join('\n')}
}`;
}
