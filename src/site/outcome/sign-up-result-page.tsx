import { pages } from '#content/site-content.ts';
import type { TokenPurpose } from '#list/tokens.ts';
import {
  NOTICES,
  type Notice,
  type Problem,
  type SignUpEntry,
  type SignUpForm,
  type SignUpRefusal,
} from '#shared/newsletter.ts';
import { formCopy, getSignUpCopy } from '#site/home/form-copy.ts';
import { StatusLayout } from '#site/shell/status-layout.tsx';
import { PageLayout } from '#site/shell/page-layout.tsx';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { NewsletterForm } from '#site/newsletter/newsletter-form.tsx';
import styles from './sign-up-result-page.module.css';

/** The outcomes that a visitor without JavaScript, or with a link from a mail, can meet. */
export type PageOutcome =
  | { kind: 'signedUp'; form: SignUpForm }
  /** The mistake, and the form with the values that were typed; `token` proves that the form is ours. */
  | { kind: 'tryAgain'; entry: SignUpEntry; refusal: SignUpRefusal; token: string }
  /** The store could not be used; the button tries again. */
  | { kind: 'linkFailed'; purpose: TokenPurpose }
  /** The pages of a purpose have one button: its form posts to the page's own address. */
  | { kind: TokenPurpose | 'unsubscribed' | 'confirmed' | 'renewed' }
  /** A link that is not ours, or has nothing left to do. */
  | { kind: 'badLink' };

/** The page's name, in its title and as its heading. */
export function outcomeTitle(outcome: PageOutcome): string {
  switch (outcome.kind) {
    case 'signedUp':
      return getSignUpCopy(outcome.form).doneHeading;
    case 'tryAgain':
      return pages.tryAgain;
    case 'linkFailed':
      return pages[outcome.purpose].title;
    default:
      return pages[outcome.kind].title;
  }
}

export function SignUpResultPage({ outcome, endpoint }: { outcome: PageOutcome; endpoint: string }) {
  switch (outcome.kind) {
    case 'signedUp': {
      const { doneHeading, doneText } = getSignUpCopy(outcome.form);
      return <Result title={doneHeading} text={doneText} lit />;
    }
    case 'tryAgain':
      return <TryAgain {...outcome} endpoint={endpoint} />;
    case 'unsubscribe':
    case 'confirm':
    case 'renew':
      return <OneButton {...pages[outcome.kind]} />;
    case 'linkFailed':
      return <OneButton {...pages[outcome.purpose]} notice={NOTICES.failed} />;
    case 'confirmed':
    case 'renewed':
      return <Result {...pages[outcome.kind]} lit />;
    default:
      return <Result {...pages[outcome.kind]} />;
  }
}

function TryAgain({
  entry,
  refusal,
  token,
  endpoint,
}: Extract<PageOutcome, { kind: 'tryAgain' }> & { endpoint: string }) {
  const { form } = entry;
  const error = isProblem(refusal) ? refusal : undefined;
  return (
    <PageLayout className={styles.tryAgain}>
      <h1 id={`${form.toLowerCase()}-sign-up-heading`} className={styles.heading}>
        {pages.tryAgain}
      </h1>
      <Alert
        title={refusal.title}
        text={refusal.text}
        {...(error && { href: `#${form.toLowerCase()}-sign-up-${error.field}` })}
      />
      <NewsletterForm form={form} endpoint={endpoint} {...formCopy(form)} returned={{ ...entry, token, error }} />
    </PageLayout>
  );
}

/** Whether the visitor can fix it in the form; what else was wrong concerns the sender's software. */
function isProblem(refusal: SignUpRefusal): refusal is Problem {
  return refusal.field === 'email' || refusal.field === 'consent';
}

type ButtonPage = { title: string; text: string; button: string };

/** The button posts to the page's own address: following a link changes nothing. */
function OneButton({ title, text, button, notice }: ButtonPage & { notice?: Notice }) {
  return (
    <StatusLayout
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
    </StatusLayout>
  );
}

function Result({ title, text, lit = false }: { title: string; text: string; lit?: boolean }) {
  return (
    <StatusLayout heading={title} lit={lit}>
      <p>{text}</p>
    </StatusLayout>
  );
}
