import { type CSSProperties, Fragment, type ReactNode } from 'react';
import type { Look, SiteContent } from '#content/site-content.ts';
import { formatAddress, listCompanyDetails } from '#content/company-details.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import {
  CARD_WIDTH,
  makeBand,
  makeCard,
  makePaper,
  makeSmallPrint,
  PARAGRAPH,
  PLAIN_TEXT_RULES,
  writeStyles,
} from './mail-styles.ts';
import { LINK_SLOTS } from './mail-template.ts';

/** The agency and its look, as every email shows them. */
export type MailSite = Pick<SiteContent, 'agency' | 'brand' | 'mark'>;

/**
 * The layout of every email except the one-line notices: a single column of 600 px that reads well without images, in
 * light and dark mode.
 * @param preview the line that inboxes show after the subject
 * @param reason a sentence that says why the reader gets this email
 * @param unsubscribe the text of the unsubscribe link; an email to the agency has none
 * @param language of the text: the site's, or `en-GB` in emails to the owner
 */
export function MailLayout({
  site,
  subject,
  preview,
  reason,
  unsubscribe,
  language = site.agency.language,
  children,
}: {
  site: MailSite;
  subject: string;
  preview: string;
  reason: string;
  unsubscribe?: string;
  language?: string;
  children: ReactNode;
}) {
  const { agency, brand } = site;
  const smallPrint = makeSmallPrint(brand);
  return (
    <html lang={language} dir="ltr" {...OFFICE}>
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

/** The namespace of the settings that `renderMail` adds for Outlook. */
const OFFICE = { 'xmlns:o': 'urn:schemas-microsoft-com:office:office' };

/** The mark's URL on the site never changes. If images are blocked, the name is shown instead. */
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

/** A company has to give its details in emails as it does in letters (Companies Act 2006, section 82). */
function CompanyFacts({ agency, style }: { agency: Agency; style: CSSProperties }) {
  return (
    <p className="soft" style={style}>
      {[...listCompanyDetails(agency), formatAddress(agency)].map((fact, index, facts) => (
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
  /** In pixels; `100%` of its parent, or `auto` for the width of its content. */
  width?: number | '100%' | 'auto';
  style?: CSSProperties;
  cellClassName?: string;
  cellStyle?: CSSProperties;
  children: ReactNode;
};

/**
 * A box with one cell. Outlook on Windows takes a box's width from the table's attribute and its padding from the
 * cell's style. It supports neither `max-width` nor padding on links (https://www.caniemail.com/features/css-max-width/
 * and css-padding/). If Windows scales everything to 125–150 %, Outlook scales only widths in the style. With a fixed
 * layout, every other email program fits a box of 600 pixels on a phone's screen.
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
 * The line that inboxes show after the subject. MJML's padding keeps them from showing the text that follows; Outlook
 * and mail.ru would display other invisible characters.
 */
function PreviewText({ text }: { text: string }) {
  // By code points: half an emoji would be shown as �.
  const shown = [...text].slice(0, PREVIEW_LENGTH);
  const pairs = Math.min(MAX_PADDING, PREVIEW_LENGTH - shown.length);
  return (
    <div className="preview" style={HIDDEN}>
      {shown.join('')}
      {'\u034F\u00A0'.repeat(pairs)}
    </div>
  );
}

/** Outlook on Windows uses the last property. */
const HIDDEN = { display: 'none', overflow: 'hidden', maxHeight: 0, opacity: 0, msoHide: 'all' } as CSSProperties;

/** In characters: inboxes show no more. */
const PREVIEW_LENGTH = 200;

/** In pairs of four bytes. */
const MAX_PADDING = 75;

/** The founder's name at the end of an email. */
export function Signature({ agency }: { agency: Agency }) {
  return (
    <p style={PARAGRAPH}>
      {agency.founder.name}
      <br />
      {agency.name}
    </p>
  );
}
