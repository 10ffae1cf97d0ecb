import { useContent } from '#layout/site-context.ts';
import { StatusLayout } from '#layout/status-layout.tsx';

/** The entry script logs the path that wasn't found. */
export function NotFoundPage() {
  const { pages } = useContent();
  return (
    <StatusLayout eyebrow="404" heading="Oops! Page not found">
      {/* The next page's tags would send the address on. */}
      <meta name="referrer" content="no-referrer" />
      <p data-bad-path>{pages.notFound.text}</p>
    </StatusLayout>
  );
}
