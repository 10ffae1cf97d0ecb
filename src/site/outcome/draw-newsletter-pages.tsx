import { agency } from 'virtual:content';
import type { NewsletterPages } from '#site/outcome/newsletter-pages.ts';
import { makeTitle } from '#site/discovery/page-metadata.tsx';
import { renderDocument } from '#site/document.tsx';
import type { Site } from '#site/page.ts';
import type { Problem } from '#shared/newsletter.ts';
import { type Outcome, OutcomePage, outcomeTitle } from './outcome-page.tsx';
import styles from './outcome-page.tsx?styles';

/** The receiver's answers to browsers, as pages of this site. */
export function newsletterPages(site: Site): NewsletterPages {
  const page = (outcome: Outcome) =>
    renderDocument(
      {
        styles,
        title: makeTitle(outcomeTitle(outcome)),
        description: `The newsletter of ${agency.name}.`,
        body: <OutcomePage outcome={outcome} endpoint={site.settings.newsletterEndpoint} />,
      },
      site,
    );
  return {
    signedUp: (form) => page({ kind: 'signedUp', form }),
    signUpFailed: ({ refusal, entry }) =>
      page({ kind: 'tryAgain', form: entry.form, entry, notice: isProblem(refusal) ? refusal : toNotice(refusal) }),
    unsubscribe: () => page({ kind: 'unsubscribe' }),
    unsubscribed: () => page({ kind: 'unsubscribed' }),
    confirm: () => page({ kind: 'confirm' }),
    confirmed: () => page({ kind: 'confirmed' }),
    badLink: () => page({ kind: 'badLink' }),
    linkFailed: (purpose) => page({ kind: 'linkFailed', purpose }),
  };
}

type Refusal = { title: string; text: string; field?: string };

/** Whether the visitor can mend it in the form; what else was wrong concerns the sender's software. */
function isProblem(refusal: Refusal): refusal is Problem {
  return refusal.field === 'email' || refusal.field === 'consent';
}

function toNotice({ title, text }: Refusal) {
  return { title, text };
}
