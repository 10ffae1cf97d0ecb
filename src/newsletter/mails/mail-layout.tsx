import { type CSSProperties, Fragment, type ReactNode } from 'react';
import type { Look, SiteContent } from '#content/site-content.ts';
import { addressLine, companyFacts } from '#content/company-line.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import type { ColourToken } from '#shared/design-tokens.ts';
import { LINK_SLOTS } from './mail-template.ts';

/** The agency and its look, as every mail shows them. */
export type MailSite = Pick<SiteContent, 'agency' | 'brand' | 'mark'>;

/**
 * The layout of every mail except the one-line notices: one column of 600 px that reads well without images, light and
 * dark.
 * @param preview the line that inboxes show after the subject
 * @param reason why the reader gets this mail, in a sentence
 * @param unsubscribe the text of the unsubscribe link; a mail to the agency has none
 */
export function MailLayout({
  site,
  subject,
  preview,
  reason,
  unsubscribe,
  children,
}: {
  site: MailSite;
  subject: string;
  preview: string;
  reason: string;
  unsubscribe?: string;
  children: ReactNode;
}) {
  const { agency, brand } = site;
  const smallPrint = makeSmallPrint(brand);
  return (
    <html lang={agency.language} dir="ltr" {...OFFICE}>
      <Head subject={subject} brand={brand} />
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: brand.light.paper }}>
        <PreviewText text={preview} />
        <Table cellClassName="paper" cellStyle={{ ...makePaper(brand), padding: '24px 12px' }}>
          <Table className="card" width={CARD_WIDTH} style={makeCard(brand)}>
            <Table
              className="band"
              style={{ backgroundColor: brand.light.deep }}
              cellClassName="inset"
              cellStyle={makeBand(brand)}
            >
              <Name {...site} />
            </Table>
            <Table cellClassName="inset" cellStyle={{ padding: '20px 32px 28px', wordBreak: 'break-word' }}>
              {children}
            </Table>
          </Table>
          <Table width={CARD_WIDTH} cellClassName="inset" cellStyle={{ padding: '20px 32px 0' }}>
            <p className="soft" style={smallPrint}>
              {reason}{' '}
              {unsubscribe !== undefined && (
                <a
                  className="soft"
                  href={LINK_SLOTS.unsubscribe}
                  style={{ color: brand.light.soft, textDecoration: 'underline', whiteSpace: 'nowrap' }}
                >
                  {unsubscribe}
                </a>
              )}
            </p>
            <CompanyFacts agency={agency} style={smallPrint} />
          </Table>
        </Table>
      </body>
    </html>
  );
}

type HeadProps = { subject: string; brand: Look };

function Head({ subject, brand }: HeadProps) {
  return (
    <head>
      <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
      <meta name="x-apple-disable-message-reformatting" />
      <meta name="format-detection" content="telephone=no,address=no,email=no,date=no,url=no" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{subject}</title>
      {[writeStyles(brand), ...PLAIN_TEXT_RULES].map((rules) => (
        <style key={rules} dangerouslySetInnerHTML={{ __html: rules }} />
      ))}
    </head>
  );
}

/** The namespace of what `renderMail` tells Outlook. */
const OFFICE = { 'xmlns:o': 'urn:schemas-microsoft-com:office:office' };

/** The mark's URL on the site never changes. If pictures are blocked, the name is shown. */
function Name({ agency, brand, mark }: MailSite) {
  const isSpelt = mark !== undefined && !brand.nameBesideMark;
  const shape = mark === undefined ? 1 : mark.width / mark.height;
  const size = { width: Math.round(MARK_HEIGHT * shape), height: MARK_HEIGHT };
  return (
    <>
      <img
        src={`${LINK_SLOTS.site}/mark.png`}
        {...size}
        alt={isSpelt ? agency.name : ''}
        style={{ ...size, verticalAlign: 'middle' }}
      />
      {!isSpelt && <span style={{ verticalAlign: 'middle' }}>&nbsp; {agency.name}</span>}
    </>
  );
}

/** In CSS pixels. */
const MARK_HEIGHT = 32;

/** A company's emails name it as its letters do (Companies Act 2006, section 82). */
function CompanyFacts({ agency, style }: { agency: Agency; style: CSSProperties }) {
  return (
    <p className="soft" style={style}>
      {[...companyFacts(agency), addressLine(agency)].map((fact, index, facts) => (
        // Lines break between facts, and within a fact only if it doesn't fit.
        <Fragment key={fact}>
          <span style={{ display: 'inline-block' }}>{index < facts.length - 1 ? `${fact},` : fact}</span>{' '}
        </Fragment>
      ))}
    </p>
  );
}

type TableProps = {
  className?: string;
  /** In pixels; `100%` of its parent, or `auto` for the width of its text. */
  width?: number | '100%' | 'auto';
  style?: CSSProperties;
  cellClassName?: string;
  cellStyle?: CSSProperties;
  children: ReactNode;
};

/**
 * A box of one cell. Outlook on Windows gives a box its width by the table's attribute and a padding by the cell's
 * style, and knows neither `max-width` nor the padding of a link (https://www.caniemail.com/features/css-max-width/ and
 * css-padding/). It enlarges only a width in the style when Windows shows everything at 125–150 %. With a fixed layout
 * every other mail program keeps a box of 600 pixels within the screen of a phone.
 */
export function Table({ className, width = '100%', style, cellClassName, cellStyle, children }: TableProps) {
  const fixed: CSSProperties = width === 'auto' ? {} : { tableLayout: 'fixed', width, maxWidth: '100%' };
  return (
    <table
      className={className}
      role="presentation"
      align={width === 'auto' ? undefined : 'center'}
      width={width === 'auto' ? undefined : width}
      border={0}
      cellPadding={0}
      cellSpacing={0}
      style={{ ...fixed, ...style }}
    >
      <tbody>
        <tr>
          <td className={cellClassName} style={cellStyle}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/**
 * The line that inboxes show after the subject. MJML's padding keeps them from showing the text that follows: Outlook
 * and mail.ru show other invisible characters.
 */
function PreviewText({ text }: { text: string }) {
  const shown = text.slice(0, PREVIEW_LENGTH);
  const pairs = Math.min(MAX_PADDING, PREVIEW_LENGTH - shown.length);
  return (
    <div className="preview" style={HIDDEN}>
      {shown}
      {'\u034F\u00A0'.repeat(pairs)}
    </div>
  );
}

/** Outlook on Windows uses the last. */
const HIDDEN = { display: 'none', overflow: 'hidden', maxHeight: 0, opacity: 0, msoHide: 'all' } as CSSProperties;

/** In characters: inboxes show no more. */
const PREVIEW_LENGTH = 200;

/** In pairs of four bytes. */
const MAX_PADDING = 75;

/** The founder's name under a mail. */
export function Signature({ agency }: { agency: Agency }) {
  return (
    <p style={PARAGRAPH}>
      {agency.founder.name}
      <br />
      {agency.name}
    </p>
  );
}

const PARAGRAPH = { margin: '0 0 16px' };

/** Makes the styles that the parts of a mail share; mail programs want them on each element. */
export function makeMailStyles(brand: Look) {
  return {
    heading: { margin: '16px 0 12px', font: `500 30px/1.15 ${brand.serif}`, letterSpacing: '-0.02em' },
    subheading: { margin: '28px 0 8px', font: `500 22px/1.25 ${brand.serif}`, letterSpacing: '-0.01em' },
    paragraph: PARAGRAPH,
    list: { margin: '0 0 16px 24px', padding: 0 },
    listItem: { margin: '0 0 8px' },
    quote: { margin: '0 0 16px' },
    quoteCell: { padding: '0 0 0 16px', borderLeft: `3px solid ${brand.light.sun}` },
    rule: { margin: '28px 0', border: 'none', borderTop: `1px solid ${brand.light.line}` },
    image: { display: 'block', maxWidth: '100%', height: 'auto', margin: '0 0 16px', borderRadius: '12px' },
    link: { color: brand.light.amber, textDecoration: 'underline' },
    // High enough for a finger.
    button: {
      display: 'inline-block',
      lineHeight: '44px',
      color: brand.light['on-sun'],
      fontWeight: 600,
      textDecoration: 'none',
    },
    // The accent may be as light as the card.
    buttonCell: {
      padding: '0 28px',
      border: `1px solid ${brand.light.line}`,
      borderRadius: '999px',
      backgroundColor: brand.light.sun,
    },
  } satisfies Record<string, CSSProperties>;
}

/** In CSS pixels. */
const CARD_WIDTH = 600;

/** In CSS pixels: the card without the space at its sides. */
export const COLUMN_WIDTH = CARD_WIDTH - 2 * 32;

function makePaper(brand: Look): CSSProperties {
  return { backgroundColor: brand.light.paper, color: brand.light.ink, font: `17px/1.6 ${brand.sans}` };
}
function makeCard(brand: Look): CSSProperties {
  return {
    backgroundColor: brand.light.card,
    border: `1px solid ${brand.light.line}`,
    borderRadius: '20px',
    // A table's default would make the corners square.
    borderCollapse: 'separate',
    overflow: 'hidden',
  };
}
function makeBand(brand: Look): CSSProperties {
  return {
    backgroundColor: brand.light.deep,
    color: brand.light['on-deep'],
    padding: '20px 32px',
    font: `500 20px/1.2 ${brand.serif}`,
  };
}
function makeSmallPrint(brand: Look): CSSProperties {
  return { margin: '0 0 12px', fontSize: '14px', color: brand.light.soft };
}

/** Classes with another colour in dark mode. */
const DARK: Record<string, Partial<Record<'background-color' | 'color' | 'border-color', ColourToken>>> = {
  '.paper': { 'background-color': 'paper', color: 'ink' },
  '.card': { 'background-color': 'card', 'border-color': 'line' },
  '.soft': { color: 'soft' },
  '.link': { color: 'amber' },
  hr: { 'border-color': 'line' },
};

/**
 * What a mail program takes for an address, a number or a date looks like the text around it: in Gmail and Samsung's
 * mail program, and on an iPhone. Our own links have their style on them. Gmail drops a sheet with an attribute selector.
 */
const PLAIN_TEXT_RULES = [
  'u + .paper a, #MessageViewBody a { color: inherit; text-decoration: none; } .aBn { border-bottom: 0 !important; }',
  'a[x-apple-data-detectors] { color: inherit !important; font: inherit !important; text-decoration: none !important; }',
];

function writeStyles(brand: Look): string {
  return `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .inset { padding-left: 20px !important; padding-right: 20px !important; } }
@media (prefers-color-scheme: dark) {
${Object.entries(DARK)
  .map(([selector, colours]) => {
    const rules = Object.entries(colours).map(([property, colour]) => `${property}: ${brand.dark[colour]} !important;`);
    return `${selector} { ${rules.join(' ')} }`;
  })
  .join('\n')}
}`;
}
