import type { MarkdownContent } from '#shared/content-schema.ts';
import { SiteFooter } from '#site/shell/site-footer.tsx';
import { SiteHeader } from '#site/shell/site-header.tsx';
import { MarkdownText } from './markdown-text.tsx';

/** A page of content/pages/, or the privacy policy. */
export function MarkdownPage({ content }: { content: MarkdownContent }) {
  return (
    <>
      <SiteHeader />
      <MarkdownText content={content} />
      <SiteFooter />
    </>
  );
}
