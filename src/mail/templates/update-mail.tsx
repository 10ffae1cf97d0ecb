import { createElement, Fragment, type ReactNode } from 'react';
import type { MarkdownNode } from '#content/markdown.ts';
import type { Agency } from '#shared/agency-schema.ts';
import type { Update } from '#content/parse-update.ts';
import { MAIL_STYLES, MailLayout, Signature } from './mail-layout.tsx';
import { LINK_SLOTS, type MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

/**
 * The update as a mail. It has no picture that counts readers, no link that leads through another address, and nothing
 * of its reader but the unsubscribe link.
 */
export function renderUpdateMail(update: Update, agency: Agency): MailTemplate {
  return renderMail(
    update.subject,
    <MailLayout
      agency={agency}
      subject={update.subject}
      preview={update.preview}
      reason={`You are receiving this because you asked ${agency.name} for occasional updates.`}
      unsubscribe="Unsubscribe"
    >
      {renderNodes(update.body)}
      <Signature agency={agency} />
    </MailLayout>,
  );
}

function renderNodes(nodes: MarkdownNode[]): ReactNode {
  return createElement(Fragment, null, ...nodes.map(renderNode));
}

function renderNode(node: MarkdownNode): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'em':
      return <em>{renderNodes(node.children)}</em>;
    case 'strong':
      return <strong>{renderNodes(node.children)}</strong>;
    case 'code_inline':
      return <code>{node.text}</code>;
    case 'link':
      return (
        <a className="link" href={node.url} style={MAIL_STYLES.link}>
          {renderNodes(node.children)}
        </a>
      );
    case 'image':
      return <img src={`${LINK_SLOTS.site}${node.url}`} alt={node.text} width={536} style={MAIL_STYLES.image} />;
    default:
      return renderBlock(node);
  }
}

function renderBlock(node: MarkdownNode): ReactNode {
  switch (node.type) {
    case 'heading':
      return renderHeading(node.number, renderNodes(node.children));
    case 'paragraph':
      return <p style={MAIL_STYLES.paragraph}>{renderNodes(node.children)}</p>;
    case 'blockquote':
      return <blockquote style={MAIL_STYLES.quote}>{renderNodes(node.children)}</blockquote>;
    case 'hr':
      return <hr style={MAIL_STYLES.rule} />;
    case 'ordered_list':
      return (
        <ol start={node.number} style={MAIL_STYLES.list}>
          {renderNodes(node.children)}
        </ol>
      );
    case 'bullet_list':
      return <ul style={MAIL_STYLES.list}>{renderNodes(node.children)}</ul>;
    case 'list_item':
      return (
        <li style={MAIL_STYLES.listItem}>
          {/* The paragraph of a short item would only push the items apart. */}
          {renderNodes(
            node.children.flatMap((child, index) =>
              child.type === 'paragraph' && index === 0 ? child.children : [child],
            ),
          )}
        </li>
      );
    default:
      // parseUpdate has refused the rest.
      return null;
  }
}

function renderHeading(level: number, children: ReactNode): ReactNode {
  if (level === 1) return <h1 style={MAIL_STYLES.heading}>{children}</h1>;
  if (level === 2) return <h2 style={MAIL_STYLES.subheading}>{children}</h2>;
  return <h3 style={{ ...MAIL_STYLES.subheading, fontSize: '18px' }}>{children}</h3>;
}
