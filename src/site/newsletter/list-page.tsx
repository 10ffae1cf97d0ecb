import { PlainLayout } from '#site/shell/plain-layout.tsx';
import { Button } from '#site/ui/button.tsx';
import { ButtonLink } from '#site/ui/button-link.tsx';

/** Where a link in a mail leads: one thing to read, and at most one button, which posts to the page's own address. */
export function ListPage({ heading, text, button }: { heading: string; text: string; button?: string }) {
  return (
    <PlainLayout heading={heading}>
      <p>{text}</p>
      {button ? (
        <form method="post">
          <Button type="submit" variant="deep">
            {button}
          </Button>
        </form>
      ) : (
        <p>
          <ButtonLink variant="deep" href="/">
            Return to Home
          </ButtonLink>
        </p>
      )}
    </PlainLayout>
  );
}
