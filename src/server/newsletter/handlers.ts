import type { Handler } from 'hono';
import type { SignUpForm } from '#shared/newsletter.ts';
import { sendPage } from './answers.ts';
import { clientAddressReader } from './client-address.ts';
import { describeError } from '#shared/describe-error.ts';
import { type LinkHandlers, linkHandlers } from './link-handlers.ts';
import type { Newsletter } from './open-newsletter.ts';
import type { NewsletterPages } from '#site/outcome/newsletter-pages.ts';
import { signUpHandler, signUpPreflight } from './sign-up-handler.ts';

/** The receiver's handlers, to be put into the list of routes. */
export type NewsletterHandlers = LinkHandlers & {
  /** POST NEWSLETTER_PATH */
  signUp: Handler;
  /** GET of one of SIGNED_UP_PATHS, where a sign-up without JavaScript leads. */
  signedUpPage: (form: SignUpForm) => Handler;
  /** OPTIONS NEWSLETTER_PATH: a browser asks whether another site's page may post here. */
  signUpPreflight: Handler;
  /** GET /healthz: whether a sign-up could be stored, and nothing that anybody could learn from. */
  health: Handler;
};

/**
 * @param log takes one line without any address of a person
 */
export function newsletterHandlers(
  newsletter: Newsletter,
  pages: NewsletterPages,
  log: (line: string) => void,
): NewsletterHandlers {
  const clientAddress = clientAddressReader(newsletter.env.TRUSTED_PROXY_HEADER, log);
  return {
    signUp: signUpHandler(newsletter, pages, clientAddress, log),
    signedUpPage: (form) => async (context) => sendPage(context, 200, await pages.signedUp(form)),
    signUpPreflight: signUpPreflight(newsletter),
    ...linkHandlers(newsletter, pages, log),

    health: async (context) => {
      context.header('Cache-Control', 'no-store');
      try {
        await newsletter.checkStore();
        return context.json({ store: 'reachable' });
      } catch (error) {
        log(`GET health: 503, the store failed (${describeError(error)}).`);
        return context.json({ store: 'unreachable' }, 503);
      }
    },
  };
}
