import type { Handler } from 'hono';
import { sendPage } from './responses.ts';
import { describeError } from '#shared/describe-error.ts';
import type { Store } from '../database/open-store.ts';
import type { Newsletter } from '../open-newsletter.ts';
import type { PageOutcome } from '#shared/sign-up-result.ts';
import { confirm, isConfirmable } from '../subscribers/confirm.ts';
import { isRenewable, renew } from '../retention/renewals.ts';
import { type Link, readToken } from '../subscribers/tokens.ts';
import type { TokenPurpose } from '#shared/sign-up-result.ts';
import { unsubscribeMailbox } from '../subscribers/unsubscribe.ts';

/** Renders an outcome as a page of the site, a complete HTML document. */
export type DrawOutcome = (outcome: PageOutcome) => Promise<string>;

/**
 * The handlers of the pages that links in emails lead to. A GET changes nothing, since mail scanners follow links. The
 * page's button sends a POST, as does the one-click call of RFC 8058.
 */
export function createLinkHandlers({ store, secret, env }: Newsletter, draw: DrawOutcome, log: (line: string) => void) {
  /** @param useLink resolves to whether the link is valid */
  const answer =
    (purpose: TokenPurpose, useLink: (link: Link) => boolean | Promise<boolean>, good: PageOutcome): Handler =>
    async (context) => {
      const link = readToken(purpose, context.req.param('token') ?? '', secret);
      let isGood;
      try {
        isGood = link !== undefined && (await useLink(link));
      } catch (error) {
        log(`${context.req.method} ${purpose}: 503, the store failed (${describeError(error)}).`);
        context.header('Retry-After', RETRY_AFTER_S);
        return sendPage(context, 503, await draw({ kind: 'linkFailed', purpose }));
      }
      return sendPage(context, isGood ? 200 : 400, await draw(isGood ? good : { kind: 'badLink' }));
    };

  const drawUnsubscribe: Handler = async (context, next) => {
    const link = readToken('unsubscribe', context.req.param('token') ?? '', secret);
    const address = link && (await findMaskedAddress(store, link.mailboxHash).catch(() => undefined));
    return answer('unsubscribe', () => true, { kind: 'unsubscribe', address })(context, next);
  };

  const unsubscribeByLink = async ({ mailboxHash }: Link) => {
    await unsubscribeMailbox(store, mailboxHash, 'unsubscribe link', env, Date.now());
    return true;
  };
  const confirmByLink = (link: Link) => confirm(store, link, env, Date.now());
  return {
    unsubscribePage: drawUnsubscribe,
    unsubscribe: answer('unsubscribe', unsubscribeByLink, { kind: 'unsubscribed' }),
    confirmPage: answer('confirm', (link) => isConfirmable(store, link, Date.now()), { kind: 'confirm' }),
    confirm: answer('confirm', confirmByLink, { kind: 'confirmed' }),
    renewPage: answer('renew', ({ mailboxHash }) => isRenewable(store, mailboxHash), { kind: 'renew' }),
    renew: answer('renew', ({ mailboxHash }) => renew(store, mailboxHash, Date.now()), { kind: 'renewed' }),
  };
}

/** @returns for example `a•••@example.org` */
async function findMaskedAddress({ db }: Store, mailboxHash: string): Promise<string | undefined> {
  const person = db.selectFrom('subscribers').select('email').where('mailbox_hash', '=', mailboxHash).limit(1);
  const { email } = (await person.executeTakeFirst()) ?? {};
  return email && `${[...email][0]}•••${email.slice(email.lastIndexOf('@'))}`;
}

const RETRY_AFTER_S = '30';
