import { home, pages } from 'virtual:content';
import { consentWordings } from '#list/consent-wording.ts';
import { NOTICES, type Notice, type Problem, type SignUpForm } from '#shared/newsletter.ts';
import type { OptionalFields } from '#shared/sign-up-fields.ts';
import { MessageLayout } from '#site/shell/message-layout.tsx';
import { PlainLayout } from '#site/shell/plain-layout.tsx';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { NewsletterForm } from '#site/newsletter/newsletter-form.tsx';

/** The outcomes that a visitor without JavaScript, or with a link from a mail, can meet. */
export type Outcome =
  | { kind: 'signedUp'; form: SignUpForm }
  | {
      kind: 'tryAgain';
      form: SignUpForm;
      entry: OptionalFields & { email: string; consent: boolean };
      /** The mistake: tied to a field where the visitor can mend it, or to the whole. */
      notice: Notice | Problem;
    }
  /** The store could not be used; the button tries again. */
  | { kind: 'linkFailed'; purpose: 'unsubscribe' | 'confirm' }
  | { kind: 'unsubscribe' | 'unsubscribed' | 'confirm' | 'confirmed' | 'badLink' };

/** The page's name, in its title and as its heading. */
export function outcomeTitle(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'signedUp':
      return chooseCopy(outcome.form).doneHeading;
    case 'tryAgain':
      return pages.tryAgain;
    case 'linkFailed':
      return pages[outcome.purpose].title;
    default:
      return pages[outcome.kind].title;
  }
}

export function OutcomePage({ outcome, endpoint }: { outcome: Outcome; endpoint: string }) {
  switch (outcome.kind) {
    case 'signedUp':
      return <SignedUp form={outcome.form} />;
    case 'tryAgain':
      return <TryAgain {...outcome} endpoint={endpoint} />;
    case 'unsubscribe':
    case 'confirm':
      return <OneButton {...pages[outcome.kind]} />;
    case 'linkFailed':
      return <OneButton {...pages[outcome.purpose]} notice={NOTICES.failed} />;
    case 'confirmed':
      return <Result {...pages.confirmed} lit />;
    default:
      return <Result {...pages[outcome.kind]} />;
  }
}

function SignedUp({ form }: { form: SignUpForm }) {
  const { doneHeading, doneText } = chooseCopy(form);
  return (
    <MessageLayout heading={doneHeading} lit>
      <p>{doneText}</p>
    </MessageLayout>
  );
}

function TryAgain({ form, entry, notice, endpoint }: Extract<Outcome, { kind: 'tryAgain' }> & { endpoint: string }) {
  const { doneHeading, doneText } = chooseCopy(form);
  const problem = 'field' in notice ? notice : undefined;
  return (
    <PlainLayout heading={pages.tryAgain} headingId={`${form.toLowerCase()}-sign-up-heading`}>
      <Alert
        title={notice.title}
        text={notice.text}
        {...(problem && { href: `#${form.toLowerCase()}-sign-up-${problem.field}` })}
      />
      <NewsletterForm
        form={form}
        endpoint={endpoint}
        consent={consentWordings(home)[form]}
        done={{ heading: doneHeading, text: doneText }}
        join={pages.labels.join}
        returned={{ ...entry, problem }}
      />
    </PlainLayout>
  );
}

type ButtonPage = { title: string; text: string; button: string };

/** The button posts to the page's own address: following a link changes nothing. */
function OneButton({ title, text, button, notice }: ButtonPage & { notice?: Notice }) {
  return (
    <MessageLayout
      heading={title}
      action={
        <form method="post">
          <Button type="submit" variant="primary">
            {button}
          </Button>
        </form>
      }
    >
      {notice && <Alert {...notice} />}
      <p>{text}</p>
    </MessageLayout>
  );
}

function Result({ title, text, lit = false }: { title: string; text: string; lit?: boolean }) {
  return (
    <MessageLayout heading={title} lit={lit}>
      <p>{text}</p>
    </MessageLayout>
  );
}

function chooseCopy(form: SignUpForm) {
  return form === 'Founder' ? home.earlySignUp : home.footerSignUp;
}
