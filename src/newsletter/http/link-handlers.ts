import type { Handler } from 'hono';
import { sendPage } from './responses.ts';
import { describeError } from '#shared/describe-error.ts';
import { findByLink } from '../database/lock-rows.ts';
import type { Store } from '../database/open-store.ts';
import type { Newsletter } from '../open-newsletter.ts';
import type { PageOutcome } from '#shared/sign-up-result.ts';
import { confirm, isConfirmable } from '../subscribers/confirm.ts';
import { isRenewable, renew } from '../retention/renewals.ts';
import { findUndoTime, undoByLink } from '../subscribers/undo-unsubscribe.ts';
import { isNewAddress, moveToNewAddress } from '../subscribers/new-address.ts';
import { type Link, readToken, signToken, TOKEN_PATHS } from '../subscribers/tokens.ts';
import type { TokenPurpose } from '#shared/sign-up-result.ts';
import { BY_LINK, unsubscribeMailbox } from '../subscribers/unsubscribe.ts';

/** Renders an outcome as a page of the site, a complete HTML document. */
export type RenderOutcome = (outcome: PageOutcome) => Promise<string>;

/**
 * Creates the handlers of the pages that links in emails lead to. A GET changes nothing, since mail scanners follow
 * links. The page's button sends a POST, as does the one-click call of RFC 8058.
 */
export function createLinkHandlers(
  { store, secret, env }: Newsletter,
  renderOutcome: RenderOutcome,
  log: (line: string) => void,
) {
  /** @param useLink resolves to whether the link is valid, or to the page that it leads to */
  const answer =
    (
      purpose: TokenPurpose,
      useLink: (link: Link) => boolean | PageOutcome | Promise<boolean | PageOutcome>,
      good: PageOutcome,
    ): Handler =>
    async (context) => {
      const link = readToken(purpose, context.req.param('token') ?? '', secret);
      let used: boolean | PageOutcome = false;
      try {
        if (link !== undefined) used = await useLink(link);
      } catch (error) {
        log(`${context.req.method} ${purpose}: 503, the store failed (${describeError(error)}).`);
        context.header('Retry-After', RETRY_AFTER_S);
        return sendPage(context, 503, await renderOutcome({ kind: 'linkFailed', purpose }));
      }
      const outcome = used === true ? good : used || { kind: 'badLink' };
      return sendPage(context, used ? 200 : 400, await renderOutcome(outcome));
    };

  const showAddress = async ({ mailboxHash }: Link): Promise<PageOutcome> => {
    const address = await findMaskedAddress(store, mailboxHash).catch(() => undefined);
    return { kind: 'unsubscribe', address };
  };
  const unsubscribeByLink = async ({ mailboxHash }: Link): Promise<PageOutcome> => {
    await unsubscribeMailbox(store, mailboxHash, BY_LINK, env, Date.now());
    const at = await findUndoTime(store, mailboxHash, Date.now());
    const undo = at && `${TOKEN_PATHS.resubscribe}/${signToken('resubscribe', mailboxHash, secret, at)}`;
    return { kind: 'unsubscribed', undo };
  };
  const isStillUndoable = async ({ mailboxHash, queuedAt }: Link) =>
    (await findUndoTime(store, mailboxHash, Date.now())) === queuedAt;
  const undo = (link: Link) => undoByLink(store, link, env, Date.now());
  const confirmByLink = (link: Link) => confirm(store, link, env, Date.now());
  const takeNewAddress = (link: Link) => moveToNewAddress(store, link, env, Date.now());
  return {
    unsubscribePage: answer('unsubscribe', showAddress, { kind: 'unsubscribe' }),
    unsubscribe: answer('unsubscribe', unsubscribeByLink, { kind: 'unsubscribed' }),
    resubscribePage: answer('resubscribe', isStillUndoable, { kind: 'resubscribe' }),
    resubscribe: answer('resubscribe', undo, { kind: 'renewed' }),
    confirmPage: answer('confirm', (link) => isConfirmable(store, link, Date.now()), { kind: 'confirm' }),
    confirm: answer('confirm', confirmByLink, { kind: 'confirmed' }),
    newAddressPage: answer('newAddress', (link) => isNewAddress(store, link, Date.now()), { kind: 'newAddress' }),
    newAddress: answer('newAddress', takeNewAddress, { kind: 'addressChanged' }),
    renewPage: answer('renew', ({ mailboxHash }) => isRenewable(store, mailboxHash), { kind: 'renew' }),
    renew: answer('renew', ({ mailboxHash }) => renew(store, mailboxHash, Date.now()), { kind: 'renewed' }),
  };
}

/** @returns for example `a•••@example.org` */
async function findMaskedAddress({ db }: Store, mailboxHash: string): Promise<string | undefined> {
  const { email } = (await findByLink(db, db.selectFrom('subscribers').selectAll(), mailboxHash)) ?? {};
  return email && `${[...email][0]}•••${email.slice(email.lastIndexOf('@'))}`;
}

const RETRY_AFTER_S = '30';
