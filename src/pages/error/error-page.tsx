import { useContent } from '#layout/site-context.ts';
import { StatusLayout } from '#layout/status-layout.tsx';

/** The specification's wording for a failure of the site itself. */
const ERROR_HEADING = 'Unexpected Application Error!';

type ErrorPageProps = { message: string };

/** The server's 500 page: the error's message, never its stack. */
export function ErrorPage({ message }: ErrorPageProps) {
  const { pages } = useContent();
  return (
    <StatusLayout eyebrow="500" heading={ERROR_HEADING}>
      <p>{message}</p>
      <p>{pages.error.text}</p>
    </StatusLayout>
  );
}
