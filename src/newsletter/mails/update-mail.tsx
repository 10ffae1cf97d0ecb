import { createElement, Fragment, type ReactNode } from 'react';
import type { MarkdownNode } from '#content/markdown/markdown.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import type { Update } from '#content/markdown/parse-update.ts';
import { COLUMN_WIDTH, MAIL_STYLES, MailLayout, Signature, Table } from './mail-layout.tsx';
import { LINK_SLOTS, type MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

/** In pixels, by the picture's URL. */
export type PictureSizes = Map<string, { width: number; height: number }>;

/**
 * Renders an update as a mail. It has no tracking picture, no tracked link, and nothing of its reader but the
 * unsubscribe link.
 */
export function renderUpdateMail(update: Update, agency: Agency, sizes: PictureSizes): MailTemplate {
  return renderMail(
    update.subject,
    <MailLayout
      agency={agency}
      subject={update.subject}
      preview={update.preview}
      reason={`You are receiving this because you asked ${agency.name} for occasional updates.`}
      unsubscribe="Unsubscribe"
    >
      {renderNodes(update.body, sizes)}
      <Signature agency={agency} />
    </MailLayout>,
  );
}

function renderNodes(nodes: MarkdownNode[], sizes: PictureSizes): ReactNode {
  return createElement(Fragment, null, ...nodes.map((node) => renderNode(node, sizes)));
}

function renderNode(node: MarkdownNode, sizes: PictureSizes): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'em':
      return <em>{renderNodes(node.children, sizes)}</em>;
    case 'strong':
      return <strong>{renderNodes(node.children, sizes)}</strong>;
    case 'code_inline':
      return <code>{node.text}</code>;
    case 'link':
      return (
        <a className="link" href={node.url} style={MAIL_STYLES.link}>
          {renderNodes(node.children, sizes)}
        </a>
      );
    case 'image':
      return <Picture node={node} size={sizes.get(node.url)} />;
    default:
      return renderBlock(node, sizes);
  }
}

type PictureProps = { node: MarkdownNode; size: { width: number; height: number } | undefined };

/** Its size is in the markup for Outlook, and to keep the text in place while pictures load. */
function Picture({ node: { url, text }, size }: PictureProps) {
  const width = Math.min(size?.width ?? COLUMN_WIDTH, COLUMN_WIDTH);
  const height = size && Math.round((size.height * width) / size.width);
  return <img src={`${LINK_SLOTS.site}${url}`} alt={text} width={width} height={height} style={MAIL_STYLES.image} />;
}

function renderBlock(node: MarkdownNode, sizes: PictureSizes): ReactNode {
  switch (node.type) {
    case 'heading':
      return renderHeading(node.number, renderNodes(node.children, sizes));
    case 'paragraph':
      return <p style={MAIL_STYLES.paragraph}>{renderNodes(node.children, sizes)}</p>;
    case 'blockquote':
      return (
        <blockquote style={MAIL_STYLES.quote}>
          <Table cellStyle={MAIL_STYLES.quoteCell}>{renderNodes(node.children, sizes)}</Table>
        </blockquote>
      );
    case 'hr':
      return <hr style={MAIL_STYLES.rule} />;
    case 'ordered_list':
      return (
        <ol start={node.number} style={MAIL_STYLES.list}>
          {renderNodes(node.children, sizes)}
        </ol>
      );
    case 'bullet_list':
      return <ul style={MAIL_STYLES.list}>{renderNodes(node.children, sizes)}</ul>;
    case 'list_item':
      return (
        <li style={MAIL_STYLES.listItem}>
          {/* A paragraph would only push short items apart. */}
          {renderNodes(
            node.children.flatMap((child, index) =>
              child.type === 'paragraph' && index === 0 ? child.children : [child],
            ),
            sizes,
          )}
        </li>
      );
    default:
      // parseUpdate refuses the rest.
      return null;
  }
}

function renderHeading(level: number, children: ReactNode): ReactNode {
  if (level === 1) return <h1 style={MAIL_STYLES.heading}>{children}</h1>;
  if (level === 2) return <h2 style={MAIL_STYLES.subheading}>{children}</h2>;
  return <h3 style={{ ...MAIL_STYLES.subheading, fontSize: '18px' }}>{children}</h3>;
}
