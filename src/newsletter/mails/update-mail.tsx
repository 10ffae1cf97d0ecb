import { type CSSProperties, createElement, Fragment, type ReactNode } from 'react';
import type { MarkdownNode } from '#content/markdown/markdown.ts';
import type { Update } from '#content/markdown/parse-update.ts';
import { MailLayout, type MailSite, Signature, Table } from './mail-layout.tsx';
import { COLUMN_WIDTH, makeMailStyles } from './mail-styles.ts';
import { LINK_SLOTS, type MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

/** In pixels, by the picture's URL. */
export type PictureSizes = Map<string, { width: number; height: number }>;

/**
 * Renders an update as an email. It has no tracking pixel or tracked links, and nothing specific to its reader except
 * the unsubscribe link.
 */
export function renderUpdateMail(update: Update, site: MailSite, sizes: PictureSizes): MailTemplate {
  const { agency, brand } = site;
  return renderMail(
    update.subject,
    <MailLayout
      site={site}
      subject={update.subject}
      preview={update.preview}
      reason={`You are receiving this because you asked ${agency.name} for occasional updates.`}
      unsubscribe="Unsubscribe"
    >
      {renderNodes(update.body, { sizes, styles: makeMailStyles(brand) })}
      <Signature agency={agency} />
    </MailLayout>,
  );
}

type Rendering = { sizes: PictureSizes; styles: ReturnType<typeof makeMailStyles> };

function renderNodes(nodes: MarkdownNode[], rendering: Rendering): ReactNode {
  return createElement(Fragment, null, ...nodes.map((node) => renderNode(node, rendering)));
}

function renderNode(node: MarkdownNode, rendering: Rendering): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'em':
      return <em>{renderNodes(node.children, rendering)}</em>;
    case 'strong':
      return <strong>{renderNodes(node.children, rendering)}</strong>;
    case 'code_inline':
      return <code>{node.text}</code>;
    case 'link':
      return (
        <a className="link" href={node.url} style={rendering.styles.link}>
          {renderNodes(node.children, rendering)}
        </a>
      );
    case 'image':
      return <Picture node={node} size={rendering.sizes.get(node.url)} style={rendering.styles.image} />;
    default:
      return renderBlock(node, rendering);
  }
}

type PictureProps = { node: MarkdownNode; size: { width: number; height: number } | undefined; style: CSSProperties };

/** Its size is in the markup for Outlook, and so that the text doesn't move while pictures load. */
function Picture({ node: { url, text }, size, style }: PictureProps) {
  const width = Math.min(size?.width ?? COLUMN_WIDTH, COLUMN_WIDTH);
  const height = size && Math.round((size.height * width) / size.width);
  return <img src={`${LINK_SLOTS.site}${url}`} alt={text} width={width} height={height} style={{ ...style, width }} />;
}

function renderBlock(node: MarkdownNode, rendering: Rendering): ReactNode {
  const { styles } = rendering;
  switch (node.type) {
    case 'heading':
      return renderHeading(node.number, renderNodes(node.children, rendering), styles);
    case 'paragraph':
      return <p style={styles.paragraph}>{renderNodes(node.children, rendering)}</p>;
    case 'blockquote':
      return (
        <blockquote style={styles.quote}>
          <Table cellStyle={styles.quoteCell}>{renderNodes(node.children, rendering)}</Table>
        </blockquote>
      );
    case 'hr':
      return <hr style={styles.rule} />;
    case 'ordered_list':
      return (
        <ol start={node.number} style={styles.list}>
          {renderNodes(node.children, rendering)}
        </ol>
      );
    case 'bullet_list':
      return <ul style={styles.list}>{renderNodes(node.children, rendering)}</ul>;
    case 'list_item':
      return (
        <li style={styles.listItem}>
          {/* A paragraph would only push short items apart. */}
          {renderNodes(
            node.children.flatMap((child, index) =>
              child.type === 'paragraph' && index === 0 ? child.children : [child],
            ),
            rendering,
          )}
        </li>
      );
    default:
      // parseUpdate rejects the rest.
      return null;
  }
}

function renderHeading(level: number, children: ReactNode, styles: Rendering['styles']): ReactNode {
  if (level === 1) return <h1 style={styles.heading}>{children}</h1>;
  if (level === 2) return <h2 style={styles.subheading}>{children}</h2>;
  return <h3 style={{ ...styles.subheading, fontSize: '18px' }}>{children}</h3>;
}
