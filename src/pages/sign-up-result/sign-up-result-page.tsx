import type { ComponentProps, ReactNode } from 'react';
import type { SiteContent } from '#content/site-content.ts';
import { useContent, useSite } from '#layout/site-context.ts';
import type { PageOutcome } from '#shared/sign-up-result.ts';
import { nameForm, NOTICES, type Notice, type Problem, type SignUpRejection } from '#shared/sign-up-rules.ts';
import { getFormCopy, getSignUpCopy } from '../home/form-copy.ts';
import { StatusLayout } from '#layout/status-layout.tsx';
import { PageLayout } from '#layout/page-layout.tsx';
import { Alert } from '#components/alert.tsx';
import { Button } from '#components/button.tsx';
import { NewsletterForm } from '#client/newsletter-form/newsletter-form.tsx';
import styles from './sign-up-result-page.module.css';

/** The page's name, used in its title and as its heading. */
export function outcomeTitle(outcome: PageOutcome, content: SiteContent): string {
  const { pages } = content;
  switch (outcome.kind) {
    case 'signedUp':
      return getSignUpCopy(outcome.form, content).doneHeading;
    case 'tryAgain':
      return pages.tryAgain;
    case 'linkFailed':
      return pages[outcome.purpose].title;
    default:
      return pages[outcome.kind].title;
  }
}

type SignUpResultPageProps = { outcome: PageOutcome };

export function SignUpResultPage({ outcome }: SignUpResultPageProps) {
  const content = useContent();
  const { pages } = content;
  switch (outcome.kind) {
    case 'signedUp': {
      const { doneHeading, doneText } = getSignUpCopy(outcome.form, content);
      return <Result title={doneHeading} text={doneText} lit />;
    }
    case 'tryAgain':
      return <TryAgain {...outcome} />;
    case 'unsubscribe':
    case 'resubscribe':
    case 'confirm':
    case 'renew':
    case 'newAddress':
      return <OneButton {...pages[outcome.kind]} address={outcome.address} />;
    case 'linkFailed':
      return <OneButton {...pages[outcome.purpose]} notice={NOTICES.failed} />;
    case 'unsubscribed':
      return (
        <Result {...pages.unsubscribed}>
          {outcome.undo && <PostButton action={outcome.undo} variant="outline" label={pages.resubscribe.button} />}
        </Result>
      );
    case 'confirmed':
    case 'renewed':
    case 'addressChanged':
      return <Result {...pages[outcome.kind]} lit />;
    default:
      return <Result {...pages[outcome.kind]} />;
  }
}

type TryAgainProps = Extract<PageOutcome, { kind: 'tryAgain' }>;

function TryAgain({ entry, rejection, token }: TryAgainProps) {
  const { content, settings } = useSite();
  const { form } = entry;
  const error = isProblem(rejection) ? rejection : undefined;
  return (
    <PageLayout className={styles.tryAgain}>
      <h1 id={`${nameForm(form)}-heading`} className={styles.heading}>
        {content.pages.tryAgain}
      </h1>
      <Alert
        title={rejection.title}
        text={rejection.text}
        {...(error && { href: `#${nameForm(form)}-${error.field}` })}
      />
      <NewsletterForm
        form={form}
        endpoint={settings.newsletterEndpoint}
        {...getFormCopy(form, content)}
        returned={{ ...entry, token, error }}
      />
    </PageLayout>
  );
}

/** Whether the visitor can fix the error in the form; other errors come from the software that sent the request. */
function isProblem(rejection: SignUpRejection): rejection is Problem {
  return rejection.field === 'email' || rejection.field === 'consent';
}

type OneButtonProps = { title: string; text: string; button: string; notice?: Notice; address?: string | undefined };

/** The button posts to the page's own URL, because following a link must not change anything. */
function OneButton({ title, text, button, notice, address }: OneButtonProps) {
  return (
    <StatusLayout heading={title} action={<PostButton variant="primary" label={button} />}>
      {notice && <Alert {...notice} />}
      {address && <p>{address}</p>}
      <p>{text}</p>
    </StatusLayout>
  );
}

type PostButtonProps = { action?: string; variant: ComponentProps<typeof Button>['variant']; label: string };

function PostButton({ action, variant, label }: PostButtonProps) {
  return (
    <form method="post" action={action}>
      <Button type="submit" variant={variant}>
        {label}
      </Button>
    </form>
  );
}

type ResultProps = { title: string; text: string; lit?: boolean; children?: ReactNode };

function Result({ title, text, lit = false, children }: ResultProps) {
  return (
    <StatusLayout heading={title} lit={lit}>
      <p>{text}</p>
      {children}
    </StatusLayout>
  );
}
