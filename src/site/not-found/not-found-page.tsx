import { pages } from 'virtual:content';
import { MessageLayout } from '#site/shell/message-layout.tsx';

/** The loader logs the path that led here. */
export function NotFoundPage() {
  return (
    <MessageLayout eyebrow="404" heading="Oops! Page not found">
      <p data-bad-path>{pages.notFound.text}</p>
    </MessageLayout>
  );
}
