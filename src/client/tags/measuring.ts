import { findClickEvent } from './tag-rules.ts';

/** Passes an event to the tags that measure events, if the visitor has consented. */
type Send = (name: string, details: Record<string, string>) => void;

/** Measures clicks to book a call or write an email, and sign-ups; never who made them. */
export function measureClicksAndSignUps(calendar: string, send: Send): void {
  document.addEventListener('click', ({ target }) => {
    const link = (target as Element).closest('a');
    const name = link && findClickEvent(link.href, calendar);
    if (name === 'book_call_click') send(name, { position: describePosition(link!) });
    if (name === 'email_click') send(name, {});
  });
  document.addEventListener('newsletter:signed-up', (event) => {
    send('signup_success', { form: (event as CustomEvent<{ form: string }>).detail.form });
  });
}

/** The id of the link's section, such as `hero`; otherwise `header`, `footer` or `page`. */
function describePosition(link: Element): string {
  const part = link.closest('section[id], header, footer');
  return part?.id || (part?.localName ?? 'page');
}
