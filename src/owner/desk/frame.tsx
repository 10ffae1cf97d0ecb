import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { brand } from 'virtual:brand';
import { agency } from 'virtual:content';
import { mark } from 'virtual:mark';
import { LogoMark } from '#site/ui/logo-mark.tsx';
import type { Desk, SiteAnswer } from './desk-types.ts';

const SECTIONS = { '/': 'Today', '/people': 'People', '/updates': 'Updates', '/launch': 'Launch', '/backup': 'Backup' };
export type Section = keyof typeof SECTIONS;

export type Page = {
  title: string;
  section?: Section;
  /** Above the heading: a moment, or the list that the page belongs to. */
  eyebrow?: ReactNode;
  /** Below the heading. */
  lead?: ReactNode;
  /** Beside the heading: what can be done with the whole page. */
  actions?: ReactNode;
  body: ReactNode;
  status?: ContentfulStatusCode;
};

/** Answers with a page in the desk's frame, with the sentence that a form before it left. */
export async function showPage(context: Context, desk: Desk, page: Page): Promise<Response> {
  const site = await desk.askSite();
  const said = desk.heard(context.req.query('said'));
  const markup = renderToStaticMarkup(<Frame page={page} site={site} said={said} />);
  return context.html(`<!doctype html>${markup}`, page.status ?? 200);
}

function Frame({ page, site, said }: { page: Page; site: SiteAnswer; said: string | undefined }) {
  const { title, section, eyebrow, lead, actions, body } = page;
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} | ${agency.name} desk`}</title>
        <link rel="stylesheet" href="/desk.css" />
        <script type="module" src="/desk.js" />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Bar section={section} site={site} />
        <main id="main">
          {said !== undefined && <Notice kind="done" text={said} />}
          <header className="head">
            <div>
              {eyebrow !== undefined && <p className="eyebrow">{eyebrow}</p>}
              <h1>{title}</h1>
              {lead !== undefined && <p className="lead">{lead}</p>}
            </div>
            {actions !== undefined && <div className="acts">{actions}</div>}
          </header>
          {body}
        </main>
      </body>
    </html>
  );
}

function Bar({ section, site }: { section: Section | undefined; site: SiteAnswer }) {
  return (
    <header className="bar">
      <div>
        <a className="name" href="/">
          {mark ? <img {...mark} alt={brand.nameBesideMark ? '' : agency.name} /> : <LogoMark />}
          <span>
            {(!mark || brand.nameBesideMark) && agency.name} <small>desk</small>
          </span>
        </a>
        <nav aria-label="Desk">
          {Object.entries(SECTIONS).map(([path, name]) => (
            <a key={path} href={path} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <a className="site" href={site.url} target="_blank" rel="noreferrer">
          {site.problem === undefined ? 'Your site is up' : 'Your site is down'}
        </a>
      </div>
    </header>
  );
}

/** A sentence on what a form did, or why it did nothing. */
export function Notice({ kind, text }: { kind: 'done' | 'error'; text: string }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {text.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** A part of a page under a hairline. */
export function Part({
  title,
  note,
  wide,
  children,
}: {
  title: string;
  note?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={wide ? 'part wide' : 'part'}>
      <h2>
        {title} {note !== undefined && <small>{note}</small>}
      </h2>
      {children}
    </section>
  );
}

/** A form that changes something, with what the desk knows its own forms by. */
export function ActionForm({
  desk,
  action,
  children,
  ...form
}: { desk: Desk; action: string; children: ReactNode } & React.FormHTMLAttributes<HTMLFormElement>) {
  return (
    <form method="post" action={action} {...form}>
      <input type="hidden" name="csrf" value={desk.csrf} />
      {children}
    </form>
  );
}

/** A form of one button. @property fields sent with it, hidden */
export function ActionButton({
  desk,
  action,
  fields,
  className = 'button',
  children,
  ...button
}: { desk: Desk; action: string; fields?: Record<string, string> } & React.ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <ActionForm desk={desk} action={action}>
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={className} {...button}>
        {children}
      </button>
    </ActionForm>
  );
}

/** @property heads of the columns; numbers stand right, and a hidden head is read aloud alone */
export function Table({ heads, className, children }: TableProps) {
  return (
    <table className={className}>
      <thead>
        <tr>
          {heads.map((head) =>
            typeof head === 'string' ? (
              <th key={head} scope="col">
                {head}
              </th>
            ) : 'number' in head ? (
              <th key={head.number} scope="col" className="number">
                {head.number}
              </th>
            ) : (
              <th key={head.hidden} scope="col">
                <span className="skip">{head.hidden}</span>
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type TableProps = {
  heads: (string | { number: string } | { hidden: string })[];
  className?: string;
  children: ReactNode;
};

type Labels = { id: string; label: string; hint?: ReactNode; error?: string | undefined };

export function Input({ id, label, hint, error, ...input }: Labels & React.InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ id, label, hint, error }}>
      {(about) => <input name={id} autoComplete="off" {...input} {...about} />}
    </Field>
  );
}

/** @property options each value with its words */
export function Select({
  id,
  label,
  hint,
  error,
  options,
  ...select
}: Labels & { options: (readonly [string, string])[] } & React.SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ id, label, hint, error }}>
      {(about) => (
        <select name={id} {...select} {...about}>
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A labelled field; a wrong one has its sentence above it and keeps what was typed. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: Labels & {
  children: (about: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}) {
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={error === undefined ? 'field' : 'field wrong'}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="error">
          {error}
        </p>
      )}
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
    </div>
  );
}

/** A thing that waits for the owner: its title, its cause, one button. */
export type Need = { title: string; cause: ReactNode; act: ReactNode };

export function Needs({ needs }: { needs: Need[] }) {
  if (needs.length === 0) return null;
  return (
    <div className="needs">
      {needs.map(({ title, cause, act }) => (
        <section key={title}>
          <div>
            <h2>{title}</h2>
            <p>{cause}</p>
          </div>
          {act}
        </section>
      ))}
    </div>
  );
}

/** A dot and its words: done, waiting, refused, or left to do. */
export function Dot({ kind }: { kind: 'done' | 'waiting' | 'refused' | 'left' | 'chosen' }) {
  return <i className={`dot ${kind}`} />;
}
