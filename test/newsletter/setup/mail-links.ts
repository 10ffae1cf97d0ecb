import { expect } from 'vitest';
import { readPage } from '../../read-page.ts';
import { content } from '../../test-content.ts';
import { type RunningNewsletter, waitUntil } from './running-newsletter.ts';
import type { SmtpServer } from './smtp-server.ts';

export async function readFirstState({ people }: RunningNewsletter): Promise<string | undefined> {
  return (await people())[0]?.state;
}

export async function readEvents({ store }: RunningNewsletter): Promise<string[]> {
  const rows = await store.db.selectFrom('consent_records').select('event').orderBy('at').execute();
  return rows.map((row) => row.event);
}

export async function linkIn(smtp: SmtpServer, page: 'unsubscribe' | 'confirm', mail = 0): Promise<string> {
  await waitUntil(() => expect(smtp.mails.length).toBeGreaterThan(mail));
  return new RegExp(`http://\\S+/newsletter/${page}/\\S+`).exec(smtp.mails[mail]?.text ?? '')?.[0] ?? 'no link';
}

/** The label of the only button on the page that an email's link leads to. */
export function findButton(page: string): string | undefined {
  return readPage(page).querySelector('main form[method="post"] button')?.textContent;
}

export async function expectBadLink(address: string): Promise<void> {
  for (const method of ['GET', 'POST']) {
    const response = await fetch(address, { method });
    expect({ method, status: response.status }).toEqual({ method, status: 400 });
    expect(readPage(await response.text()).title).toContain(content.pages.badLink.title);
  }
}
