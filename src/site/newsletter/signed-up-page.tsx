import { home } from 'virtual:content';
import type { SignUpForm } from '../../newsletter.ts';
import { PlainLayout } from '#site/shell/plain-layout.tsx';
import { ButtonLink } from '#site/ui/button-link.tsx';
import { SignedUpPanel } from './signed-up-panel.tsx';

/** Where a sign-up without JavaScript leads when it was stored. */
export function SignedUpPage({ form }: { form: SignUpForm }) {
  const copy = form === 'Founder' ? home.earlySignUp : home.footerSignUp;
  return (
    <PlainLayout heading={copy.heading}>
      <SignedUpPanel heading={copy.doneHeading} text={copy.doneText} />
      <p>
        <ButtonLink variant="deep" href="/">
          Return to Home
        </ButtonLink>
      </p>
    </PlainLayout>
  );
}
