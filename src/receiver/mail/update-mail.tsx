import type { Nodes, Parents } from 'mdast';
import { Fragment, type ReactNode } from 'react';
import type { Agency } from '#shared/content-schema.ts';
import type { Update } from '../updates/parse-update.ts';
import { MAIL_STYLES, MailLayout, Signature } from './mail-layout.tsx';
import { LINK_SLOTS, type MailTemplate } from './mail-template.ts';
import { renderMail } from './render-mail.ts';

/**
 * The update as a mail. It has no picture that counts readers, no link that leads through another address, and nothing
 * of its reader but the unsubscribe link.
 */
export function renderUpdateMail(update: Update, agency: Agency): Promise<MailTemplate> {
  return renderMail(
    update.subject,
    <MailLayout
      agency={agency}
      subject={update.subject}
      preview={update.preview}
      reason={`You get this because you asked ${agency.name} for occasional updates.`}
      unsubscribe="Unsubscribe"
    >
      {childrenOf(update.body)}
      <Signature agency={agency} />
    </MailLayout>,
  );
}

function childrenOf(parent: Parents): ReactNode {
  // A node has no name of its own; where it stands in the text is what tells it apart.
  return parent.children.map((child) => (
    <Fragment key={`${child.position?.start.offset}`}>{elementOf(child)}</Fragment>
  ));
}

function elementOf(node: Nodes): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'break':
      return <br />;
    case 'emphasis':
      return <em>{childrenOf(node)}</em>;
    case 'strong':
      return <strong>{childrenOf(node)}</strong>;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'link':
      return (
        <a className="link" href={node.url} style={MAIL_STYLES.link}>
          {childrenOf(node)}
        </a>
      );
    case 'image':
      return <img src={`${LINK_SLOTS.site}${node.url}`} alt={node.alt ?? ''} width={536} style={MAIL_STYLES.image} />;
    default:
      return blockOf(node);
  }
}

function blockOf(node: Nodes): ReactNode {
  switch (node.type) {
    case 'heading':
      return headingOf(node.depth, childrenOf(node));
    case 'paragraph':
      return <p style={MAIL_STYLES.paragraph}>{childrenOf(node)}</p>;
    case 'blockquote':
      return <blockquote style={MAIL_STYLES.quote}>{childrenOf(node)}</blockquote>;
    case 'thematicBreak':
      return <hr style={MAIL_STYLES.rule} />;
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1} style={MAIL_STYLES.list}>
          {childrenOf(node)}
        </ol>
      ) : (
        <ul style={MAIL_STYLES.list}>{childrenOf(node)}</ul>
      );
    case 'listItem':
      return (
        <li style={MAIL_STYLES.listItem}>
          {/* The paragraph of a short item would only push the items apart. */}
          {node.children.map((child) =>
            child.type === 'paragraph' ? childrenOf(child) : <Fragment key="nested">{elementOf(child)}</Fragment>,
          )}
        </li>
      );
    default:
      // parseUpdate has refused the rest.
      return null;
  }
}

function headingOf(depth: number, children: ReactNode): ReactNode {
  if (depth === 1) return <h1 style={MAIL_STYLES.heading}>{children}</h1>;
  if (depth === 2) return <h2 style={MAIL_STYLES.subheading}>{children}</h2>;
  return <h3 style={{ ...MAIL_STYLES.subheading, fontSize: '18px' }}>{children}</h3>;
}
