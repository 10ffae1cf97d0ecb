import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Creates the tables of the owner's content and pictures; the pictures of sent emails can't be deleted. */
export async function createContent(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('content_versions')
    .addColumn('number', 'integer', (column) => column.primaryKey().check(sql`number > 0`))
    .addColumn('format', 'integer', (column) => column.notNull())
    .addColumn('overlay', 'text', (column) => column.notNull())
    .addColumn('files', 'text', (column) => column.notNull())
    .addColumn('git', 'text', (column) => column.notNull())
    .addColumn('changed', 'text', (column) => column.notNull())
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('content_drafts')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('base', 'text', (column) => column.notNull())
    .addColumn('earlier', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('content_previews')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('overlay', 'text', (column) => column.notNull())
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('pictures')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('bytes', isSqlite ? 'blob' : 'bytea', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('added_at', 'text', (column) => column.notNull())
    .addCheckConstraint('pictures_bytes', sql`length(bytes) between 1 and 2000000`)
    .execute();
  await db.schema
    .createTable('emails')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('roles', 'text')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('update_pictures')
    .addColumn('update_id', 'text', (column) => column.notNull().references('updates.id'))
    .addColumn('picture', 'text', (column) => column.notNull().references('pictures.name'))
    .addPrimaryKeyConstraint('update_pictures_key', ['update_id', 'picture'])
    .execute();
}
