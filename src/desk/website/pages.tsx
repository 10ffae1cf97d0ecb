import type { Hono } from 'hono';
import { RESERVED_SLUGS } from '#content/markdown/read-markdown-page.ts';
import { answerForm } from '../answer-form.ts';
import type { Desk } from '../desk-types.ts';
import { ActionButton, Button, Field, Form } from '../parts.tsx';
import { addPage, type FieldState, readParts, type Site } from './draft.ts';

/** Adds the form by which she adds a page: its name is its path. */
export function addNewPage(app: Hono, desk: Desk, site: Site): void {
  app.post(
    '/website',
    answerForm(desk, ({ 'new-page': name = '' }) => {
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
      return { to: `/website/${file}` };
    }),
  );
}

function formatMonth(date: Date): string {
  return date.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** The form below the pages of the overview. */
export function NewPageForm() {
  return (
    <details>
      <summary>Add a page</summary>
      <Form field="new-page">
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
        This page goes when you publish. <ActionButton act={`toggle ${state.key}`}>Keep it</ActionButton>
      </div>
    );
  }
  return (
    <details>
      <summary>Take this page out</summary>
      <p className="hint">It stays until you publish, and can come back.</p>
      <ActionButton kind="danger" act={`toggle ${state.key}`}>
        Take it out
      </ActionButton>
    </details>
  );
}
