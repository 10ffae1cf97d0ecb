import { useContext } from 'react';
import type { Hono } from 'hono';
import { z } from 'zod';
import { findSlugError, toSlug } from '#content/markdown/page-slug.ts';
import { createAction, type FormDesk, handleAction } from '../handle-forms.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { ActionButton, Button, Field, Form, FormState } from '../ui.tsx';
import { addPage, type FieldState, readParts } from './draft.ts';
import type { OpenSite } from './open-site.ts';

/** Adds the form with which the owner adds a page: its path comes from its name. */
export function addNewPage(app: Hono, desk: FormDesk & Pick<WebsiteDesk, 'content'>, open: OpenSite): void {
  app.post(
    '/desk/website',
    handleAction(
      desk,
      createAction(
        NEW_PAGE_FORM,
        async ({ 'new-page': name }, context) => {
          const site = await open(context);
          const file = `pages/${chooseSlug(name)}`;
          if (readParts(site).some(({ id }) => id === file)) {
            throw new Error(`There is already a page at ${file.replace('pages', '')}. Give this one another name.`);
          }
          const redirect = desk.content.pages.redirects.find(({ from }) => `pages${from}` === file);
          if (redirect) {
            const { from, to } = redirect;
            throw new Error(
              `${from} leads to ${to}. Remove it from Old addresses and publish, or give the page another name.`,
            );
          }
          await addPage(site, file, { heading: name.trim(), lastUpdated: formatMonth(new Date()) });
          return { to: `/desk/website/${file}` };
        },
        'new-page',
      ),
    ),
  );
}

/** @throws if no path can be made from the name */
function chooseSlug(name: string): string {
  if (name.trim() === '') throw new Error('Type the page’s name first, such as Terms of business.');
  const slug = toSlug(name);
  if (slug === '' || (/\p{L}/u.test(name) && !/[a-z]/.test(slug)))
    throw new Error(
      'The page’s address needs Latin letters. Use some in the name; you can change the heading afterwards.',
    );
  const error = findSlugError(slug);
  if (error !== undefined) {
    throw new Error(`${error.charAt(0).toUpperCase()}${error.slice(1)}. Give the page another name.`);
  }
  return slug;
}

const NEW_PAGE_FORM = z.object({ 'new-page': z.string() });

function formatMonth(date: Date): string {
  return date.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** The form below the pages of the overview. */
export function NewPageForm() {
  const { error } = useContext(FormState);
  return (
    <details open={error?.field === 'new-page'}>
      <summary>Add a page</summary>
      <Form>
        <Field
          id="new-page"
          label="Name of the page"
          hint="For example, Terms of business: its address will be /terms-of-business."
        />
        <Button>Add the page</Button>
      </Form>
    </details>
  );
}

/** Says whether the page exists, with a button that removes it. */
export function PageNote({ fields }: { fields: FieldState[] }) {
  const state = fields.find(({ field }) => field.kind === 'page');
  if (state === undefined) return null;
  if (state.live === false) {
    const address = state.key.replace('page:pages', '');
    return <p className="quiet">{`A new page, at ${address}. Visitors will see it once you publish.`}</p>;
  }
  if (state.value === false) {
    return (
      <div className="notice">
        This page will be removed when you publish.{' '}
        <ActionButton action="keep-page" values={{ field: state.key }}>
          Keep it
        </ActionButton>
      </div>
    );
  }
  return (
    <details>
      <summary>Remove this page</summary>
      <p className="hint">It stays live until you publish, and you can restore it later.</p>
      <ActionButton kind="danger" action="remove-page" values={{ field: state.key }}>
        Remove
      </ActionButton>
    </details>
  );
}
