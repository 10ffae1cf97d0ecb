import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, MailText } from '#store/schema.ts';
import type { MailTemplate } from '../templates/mail-template.ts';

/** Keeps what the mails that answer a sign-up say from now on, where that has changed. */
export async function recordMailTexts(
  store: Store,
  mails: Record<MailText['kind'], MailTemplate>,
  now: number,
): Promise<void> {
  for (const kind of ['welcome', 'confirmation'] as const) {
    const { subject, html, text } = mails[kind];
    await store.transaction(async (tx) => {
      const last = await tx
        .selectFrom('mail_texts')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('since', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (last?.subject === subject && last.html === html && last.text === text) return;
      await tx
        .insertInto('mail_texts')
        .values({ kind, since: toIso(now), subject, html, text })
        .onConflict((conflict) => conflict.columns(['kind', 'since']).doUpdateSet({ subject, html, text }))
        .execute();
    });
  }
}

/** Finds the text of a mail to a subscriber as it was when it was queued; before the first text the first one holds. */
export async function findMailText(
  { db }: Store,
  { update_id, kind, queued_at }: Pick<Delivery, 'update_id' | 'kind' | 'queued_at'>,
): Promise<MailTemplate> {
  const columns = ['subject', 'html', 'text'] as const;
  if (update_id !== null) {
    return db.selectFrom('updates').select(columns).where('id', '=', update_id).executeTakeFirstOrThrow();
  }
  const texts = () =>
    db
      .selectFrom('mail_texts')
      .select(columns)
      .where('kind', '=', kind as MailText['kind']);
  const found = await texts().where('since', '<=', queued_at).orderBy('since', 'desc').limit(1).executeTakeFirst();
  return found ?? texts().orderBy('since').limit(1).executeTakeFirstOrThrow();
}
