import { pages } from 'virtual:content';
import { MessageLayout } from '#site/shell/message-layout.tsx';

export function NotFoundPage() {
  return (
    <MessageLayout eyebrow="404" heading="Oops! Page not found">
      <p>{pages.notFound.text}</p>
    </MessageLayout>
  );
}
