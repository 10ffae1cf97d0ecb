import { type Kysely, sql } from 'kysely';
import type { DeskLink } from '../sign-in-schema.ts';
import { isOneOf } from './is-one-of.ts';

/** Creates the tables of the people who may open the desk, their links, sessions and passkeys. */
export async function createSignIn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('desk_people')
    .addColumn('email', 'text', (column) => column.primaryKey())
    .execute();
  await db.schema
    .createTable('desk_links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.references('desk_people.email').onDelete('cascade'))
    .addColumn('code', 'text')
    .addColumn('browser', 'text')
    .addColumn('network', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addCheckConstraint('desk_links_kind', isOneOf('kind', LINK_KINDS))
    .addCheckConstraint(
      'desk_links_emailed',
      sql`kind <> 'email' or (email is not null and code is not null and browser is not null and network is not null)`,
    )
    .execute();
  await db.schema.createIndex('desk_links_expiry').on('desk_links').column('expires_at').execute();
  await db.schema
    .createTable('desk_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.references('desk_people.email').onDelete('cascade'))
    .addColumn('browser', 'text', (column) => column.notNull())
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .addCheckConstraint('desk_sessions_way', isOneOf('way', LINK_KINDS))
    .addCheckConstraint('desk_sessions_of', sql`way = 'terminal' or email is not null`)
    .execute();
  await db.schema
    .createTable('desk_passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().references('desk_people.email').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text')
    .execute();
}

const LINK_KINDS = ['terminal', 'email', 'passkey'] satisfies DeskLink['kind'][];
