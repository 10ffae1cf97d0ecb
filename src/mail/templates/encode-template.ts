import { encode, wrap } from 'nodemailer/lib/qp';
import { LINK_SLOTS, type MailTemplate, type ReaderLinks } from './mail-template.ts';

/**
 * A template as mail carries it. It is encoded once for everybody, and each reader's links are put in: that is about a
 * fifth of what it costs to send a mail.
 */
export type EncodedTemplate = { subject: string; partsFor: (links: ReaderLinks) => MimeParts };

/** The text part and the HTML part of one mail, each with its headers. */
export type MimeParts = [text: string, html: string];

export function encodeTemplate({ subject, text, html }: MailTemplate): EncodedTemplate {
  const textFor = encodePart('text/plain', text);
  const htmlFor = encodePart('text/html', html);
  return { subject, partsFor: (links) => [textFor(links), htmlFor(links)] };
}

function encodePart(type: string, content: string): (links: ReaderLinks) => string {
  // Every second piece is a slot.
  const pieces = content
    .replaceAll(/\r?\n/g, '\r\n')
    .split(SLOT)
    .map((piece, index) => (index % 2 === 0 ? quotedPrintable(piece) : piece));
  return (links) => {
    const linkOf: Record<string, string> = {
      [LINK_SLOTS.unsubscribe]: quotedPrintable(links.unsubscribe),
      [LINK_SLOTS.confirm]: quotedPrintable(links.confirm ?? LINK_SLOTS.confirm),
      [LINK_SLOTS.site]: quotedPrintable(links.site),
    };
    const body = pieces.map((piece, index) => (index % 2 === 0 ? piece : linkOf[piece])).join(SOFT_BREAK);
    return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}`;
  };
}

const SLOT = new RegExp(`(${Object.values(LINK_SLOTS).join('|')})`);

function quotedPrintable(text: string): string {
  return wrap(encode(text), LINE_LENGTH - SOFT_BREAK.trimEnd().length);
}

/** The most that a line may have (RFC 2045, section 6.7). */
const LINE_LENGTH = 76;

/** Ends a line of quoted-printable text, and no line of what it says. */
const SOFT_BREAK = '=\r\n';
