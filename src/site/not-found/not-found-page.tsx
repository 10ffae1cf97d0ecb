import { ButtonLink } from '#site/ui/button-link.tsx';
import { MessageLayout } from '#site/shell/message-layout.tsx';

export function NotFoundPage() {
  return (
    <MessageLayout eyebrow="404" heading="Oops! Page not found" art>
      <p>There is nothing at this address. It may have moved, or the link may be wrong.</p>
      <p>
        <ButtonLink variant="sun" href="/">
          Return to Home
        </ButtonLink>
      </p>
    </MessageLayout>
  );
}
