import { agency } from 'virtual:content';
import type { ReactNode } from 'react';
import { renderDocument, type Site, titleOf } from '#site/document.tsx';
import type { ReceiverPages } from '#receiver/pages.ts';
import { findProblem } from '../../newsletter.ts';
import { ListPage } from './list-page.tsx';
import { SignedUpPage } from './signed-up-page.tsx';
import { TryAgainPage } from './try-again-page.tsx';

/** The receiver's pages in the site's look. */
export function receiverPages(site: Site): ReceiverPages {
  const page = (name: string, title: string, body: ReactNode) =>
    renderDocument({ name, title: titleOf(title), description: `The updates of ${agency.name}.`, body }, site);
  const listPage = (heading: string, text: string, button?: string) =>
    page('list', heading, <ListPage heading={heading} text={text} {...(button && { button })} />);

  return {
    signedUp: (form) => page('signed-up', 'Signed up', <SignedUpPage form={form} />),
    signUpFailed: ({ refusal, entry }) =>
      page(
        'try-again',
        refusal.title,
        <TryAgainPage
          form={entry.form}
          endpoint={site.settings.newsletterEndpoint}
          entry={entry}
          // A problem the form knows is tied to its field; whatever else went wrong is said of the whole.
          notice={refusal.field === undefined ? refusal : (findProblem(entry) ?? refusal)}
        />,
      ),
    unsubscribe: () =>
      listPage('Unsubscribe', `One click and you get no more updates from ${agency.name}.`, 'Unsubscribe'),
    unsubscribed: () => listPage('You are unsubscribed', 'We will not write again. You can sign up anew whenever you like.'),
    confirm: () => listPage('Confirm your address', `One click and you are on the ${agency.name} list.`, 'Confirm my address'),
    confirmed: () => listPage("You're on the list", 'Thank you. Your address is confirmed.'),
    badLink: () =>
      listPage('This link does not work', 'It may be cut short, or it has done its work. Write to us and we will help.'),
  };
}
