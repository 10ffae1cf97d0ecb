import type { Context, Handler } from 'hono';
import { sendPage } from './answers.ts';
import { describeError } from '#shared/describe-error.ts';
import type { Newsletter } from './open-newsletter.ts';
import type { NewsletterPages } from '#site/outcome/newsletter-pages.ts';
import type { TokenPurpose } from '#list/tokens.ts';

/** The handlers of the pages that links in mails lead to. */
export type LinkHandlers = {
  /** GET TOKEN_PATHS.unsubscribe/:token */
  unsubscribePage: Handler;
  /** POST TOKEN_PATHS.unsubscribe/:token; also the one-click call of RFC 8058 */
  unsubscribe: Handler;
  /** GET TOKEN_PATHS.confirm/:token */
  confirmPage: Handler;
  /** POST TOKEN_PATHS.confirm/:token */
  confirm: Handler;
};

/** A GET changes nothing, since mail scanners follow links; its page's button posts. */
export function linkHandlers(
  newsletter: Newsletter,
  pages: NewsletterPages,
  log: (line: string) => void,
): LinkHandlers {
  const show =
    (purpose: TokenPurpose): Handler =>
    (context) =>
      answer(context, purpose, () => newsletter.isGoodLink(purpose, token(context)), pages[purpose]);

  const act =
    (purpose: TokenPurpose, done: () => string | Promise<string>): Handler =>
    (context) =>
      answer(context, purpose, () => newsletter[purpose](token(context)), done);

  const answer = async (
    context: Context,
    purpose: TokenPurpose,
    useLink: () => Promise<boolean>,
    good: () => string | Promise<string>,
  ) => {
    let isGood;
    try {
      isGood = await useLink();
    } catch (error) {
      log(`${context.req.method} ${purpose}: 503, the store failed (${describeError(error)}).`);
      context.header('Retry-After', RETRY_AFTER_S);
      return sendPage(context, 503, await pages.linkFailed(purpose));
    }
    return isGood ? sendPage(context, 200, await good()) : sendPage(context, 400, await pages.badLink());
  };

  return {
    unsubscribePage: show('unsubscribe'),
    unsubscribe: act('unsubscribe', pages.unsubscribed),
    confirmPage: show('confirm'),
    confirm: act('confirm', pages.confirmed),
  };
}

const RETRY_AFTER_S = '30';

function token(context: Context): string {
  return context.req.param('token') ?? '';
}
