import type { Hono } from 'hono';
import { z } from 'zod';
import { RESERVED_SLUGS } from '#content/markdown/read-markdown-page.ts';
import { createAction, type FormDesk, handleAction } from '../actions.ts';
import { ActionButton, Button, Field, Form } from '../ui.tsx';
import { addPage, type FieldState, readParts, type Site } from './draft.ts';

/** Adds the form by which she adds a page: its name is its path. */
export function addNewPage(app: Hono, desk: FormDesk, site: Site): void {
  app.post(
    '/desk/website',
    handleAction(
      desk,
      createAction(
        NEW_PAGE_FORM,
        ({ 'new-page': name }) => {
          const path = name
            .toLowerCase()
            .normalize('NFD')
            .replaceAll(/\p{M}/gu, '')
            .replaceAll(/[^a-z0-9]+/g, '-')
            .replaceAll(/^-|-$/g, '');
          const file = `pages/${path}`;
          if (path === '') throw new Error('Write its name first, such as Terms of business.');
          if (RESERVED_SLUGS.has(path) || readParts(site).some(({ id }) => id === file)) {
            throw new Error(`There is something at /${path} already. Give the page another name.`);
          }
          addPage(site, file, { heading: name.trim(), lastUpdated: formatMonth(new Date()) });
          return { to: `/desk/website/${file}` };
        },
        'new-page',
      ),
    ),
  );
}

const NEW_PAGE_FORM = z.object({ 'new-page': z.string() });

function formatMonth(date: Date): string {
  return date.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** The form below the pages of the overview. */
export function NewPageForm() {
  return (
    <details>
      <summary>Add a page</summary>
      <Form>
        <Field
          id="new-page"
          label="Its name"
          hint="Such as Terms of business: the page is then at /terms-of-business."
          maxLength={80}
        />
        <Button>Add the page</Button>
      </Form>
    </details>
  );
}

/** Whether the page is there, and a button that takes it out. */
export function PageNote({ fields }: { fields: FieldState[] }) {
  const state = fields.find(({ field }) => field.kind === 'page');
  if (state === undefined) return null;
  if (state.live === false) return <p className="quiet">A new page. Visitors see it once you publish.</p>;
  if (state.value === false) {
    return (
      <div className="notice">
        This page goes when you publish.{' '}
        <ActionButton action="toggle" values={{ field: state.key }}>
          Keep it
        </ActionButton>
      </div>
    );
  }
  return (
    <details>
      <summary>Remove this page</summary>
      <p className="hint">It stays until you publish, and can come back.</p>
      <ActionButton kind="danger" action="toggle" values={{ field: state.key }}>
        Remove
      </ActionButton>
    </details>
  );
}
