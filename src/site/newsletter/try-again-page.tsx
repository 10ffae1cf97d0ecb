import { home } from 'virtual:content';
import type { Notice, Problem, SignUpForm } from '../../newsletter.ts';
import { PlainLayout } from '#site/shell/plain-layout.tsx';
import { Alert } from '#site/ui/alert.tsx';
import { NewsletterForm } from './newsletter-form.tsx';

export type TryAgain = {
  form: SignUpForm;
  endpoint: string;
  entry: { email: string; role: string };
  /** What was wrong: tied to a field where the visitor can mend it, or to the whole. */
  notice: Notice | Problem;
};

/** Where a sign-up without JavaScript leads when it was not stored: what was typed is kept. */
export function TryAgainPage({ form, endpoint, entry, notice }: TryAgain) {
  const copy = form === 'Founder' ? home.earlySignUp : home.footerSignUp;
  return (
    <PlainLayout heading={copy.heading}>
      <Alert title={notice.title} text={notice.text} {...('field' in notice && { href: `#${fieldId(form, notice)}` })} />
      <NewsletterForm
        form={form}
        endpoint={endpoint}
        consent={copy.consent}
        done={{ heading: copy.doneHeading, text: copy.doneText }}
        returned={{ ...entry, ...('field' in notice && { problem: notice }) }}
      />
    </PlainLayout>
  );
}

function fieldId(form: SignUpForm, { field }: Problem): string {
  return `${form.toLowerCase()}-sign-up-${field}`;
}
