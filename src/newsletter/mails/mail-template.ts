/** An email without its reader's own links. */
export type MailTemplate = { subject: string; html: string; text: string };

/** Placeholders in a template for a reader's own links. Nobody can register these names (RFC 2606). */
export const LINK_SLOTS = {
  unsubscribe: 'https://unsubscribe.invalid/',
  confirm: 'https://confirm.invalid/',
  renew: 'https://renew.invalid/',
  newAddress: 'https://new-address.invalid/',
  /** The site's origin. */
  site: 'https://site.invalid',
} as const;

/** One reader's links. */
export type ReaderLinks = { unsubscribe: string; confirm?: string; renew?: string; newAddress?: string; site: string };

/** Fills one reader's links into a template. */
export function fillTemplate(template: MailTemplate, links: ReaderLinks): MailTemplate {
  const fill = (text: string) =>
    text
      .replaceAll(LINK_SLOTS.unsubscribe, links.unsubscribe)
      .replaceAll(LINK_SLOTS.confirm, links.confirm ?? LINK_SLOTS.confirm)
      .replaceAll(LINK_SLOTS.renew, links.renew ?? LINK_SLOTS.renew)
      .replaceAll(LINK_SLOTS.newAddress, links.newAddress ?? LINK_SLOTS.newAddress)
      .replaceAll(LINK_SLOTS.site, links.site);
  return { subject: template.subject, html: fill(template.html), text: fill(template.text) };
}
