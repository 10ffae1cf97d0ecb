// oxlint-disable jsx-a11y/no-autofocus -- After a form has been sent, its message or invalid field is the first thing
// to read.
import { type ComponentProps, createContext, type ElementType, type ReactNode, useContext } from 'react';
import type { FormError, Undo } from './desk-types.ts';
import { formatCount } from '#newsletter/format.ts';
import { PAGE_KEY } from './security.ts';

type FormStateValue = {
  error: FormError | undefined;
  undo?: Undo | undefined;
  /** The key of the result in the page's URL. */
  result?: string | undefined;
  /** Shows that a form or a frame belongs to the desk (security.ts). */
  pageKey?: string | undefined;
};

/** Gives each form of a page the result of the form that was sent. */
export const FormState = createContext<FormStateValue>({ error: undefined });

type NoticeProps = { kind: 'done' | 'error'; text: string };

/** Says what a form did, or why it failed. It takes the focus, so that screen readers begin with it. */
export function Notice({ kind, text }: NoticeProps) {
  return (
    <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'} tabIndex={-1} autoFocus>
      {text}
    </div>
  );
}

type PanelProps = { title: string; note?: ReactNode } & Omit<ComponentProps<'section'>, 'title'>;

/** A section of a page, with a thin line above it. */
export function Panel({ title, note, className = '', children, ...section }: PanelProps) {
  return (
    <section className={`part ${className}`} {...section}>
      <h2>
        {title} {note && <small>{note}</small>}
      </h2>
      {children}
    </section>
  );
}

type DotProps = { kind: DotKind };

/** Done, waiting, rejected, left to do or chosen; the text next to it says the same. */
export function Dot({ kind }: DotProps) {
  return <i className={`dot ${kind}`} />;
}

export type DotKind = 'done' | 'waiting' | 'rejected' | 'left' | 'chosen';

type StateProps = { dot: DotKind; children: ReactNode };

/** A dot and its text. */
export function State({ dot, children }: StateProps) {
  return (
    <span className="state">
      <Dot kind={dot} /> {children}
    </span>
  );
}

type ButtonKind = 'plain' | 'filled' | 'danger';

/**
 * @property action the action of the page that it performs, if there are several
 * @property values values that the button sends in addition to the form's fields
 */
type ButtonProps = { kind?: ButtonKind } & ActionProps & ComponentProps<'button'>;
type ActionProps = {
  action?: string | undefined;
  values?: Record<string, string | number> | undefined;
};

export function Button({ kind = 'plain', action, values, ...button }: ButtonProps) {
  return <button type="submit" className={`button ${kind}`} {...sendAction({ action, values })} {...button} />;
}

/** The attributes of a button that names its action. A button has one value, so several go into the URL. */
export function sendAction({ action, values }: ActionProps): ComponentProps<'button'> {
  if (action === undefined) return {};
  if (values === undefined) return { name: 'action', value: action };
  const query = new URLSearchParams({ action });
  for (const [name, value] of Object.entries(values)) query.set(name, String(value));
  return { formAction: `?${query.toString()}` };
}

type ButtonLinkProps = { kind?: ButtonKind } & ComponentProps<'a'>;

export function ButtonLink({ kind = 'plain', href, children }: ButtonLinkProps) {
  return (
    <a className={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}

/**
 * A form that changes something; its page handles it. If its URL were empty instead of `?`, the next page would keep
 * this one's `#part`, and browsers wouldn't move the focus to its message. Autocomplete is off so that Firefox doesn't
 * restore old values of hidden fields on a reload.
 */
export function Form({ children, ...form }: ComponentProps<'form'>) {
  const { pageKey } = useContext(FormState);
  return (
    <form method="post" action="?" autoComplete="off" {...form}>
      {pageKey !== undefined && <input type="hidden" name={PAGE_KEY} value={pageKey} />}
      {children}
    </form>
  );
}

/** A form that is only a button. */
export function ActionButton(button: ButtonProps) {
  return (
    <Form>
      <Button {...button} />
    </Form>
  );
}

type FieldProps = { as?: 'input' | 'textarea'; id: string; label: string; hint?: string | undefined; rows?: number } & {
  /** Beside the label. */
  note?: string | undefined;
  /** An error that doesn't come from sending the form, so it doesn't get the focus. */
  error?: string | undefined;
  /** The labels of a select, by value. */
  choices?: Record<string, string>;
};

/**
 * A labelled field. An invalid one has the focus, a message, and what was typed. Fields that begin empty
 * aren't marked as required, because in Firefox, screen readers would call them invalid before anything is typed. The
 * error after sending says so instead.
 */
export function Field({
  as = 'input',
  id,
  label,
  note,
  hint,
  error,
  choices,
  ...control
}: FieldProps & ComponentProps<'input'>) {
  const Control: ElementType = choices ? 'select' : as;
  const { error: formError } = useContext(FormState);
  const isAnswered = formError?.field === id;
  const sentence = isAnswered ? formError.message : error;
  const isWrong = sentence !== undefined;
  const described = [hint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={isWrong ? 'field wrong' : 'field'}>
      <label htmlFor={id}>
        {label} {note && <small>{note}</small>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-error`} className="error">
          {sentence}
        </p>
      )}
      <Control
        id={id}
        name={id}
        autoComplete="off"
        {...control}
        defaultValue={formError?.fields[id] ?? control.defaultValue}
        aria-describedby={described || undefined}
        aria-invalid={isWrong || undefined}
        autoFocus={isAnswered}
      >
        {choices &&
          Object.entries(choices).map(([value, choice]) => (
            <option key={value} value={value}>
              {choice}
            </option>
          ))}
      </Control>
    </div>
  );
}

type TableProps = {
  columns: string[];
  /** How many columns at the end hold figures or buttons, which are right-aligned. */
  right?: number;
  rows: ReactNode[][];
  className?: string;
  /** Shown instead of a table without rows. */
  empty?: string;
};

export function Table({ columns, right = 0, rows, className, empty }: TableProps) {
  if (rows.length === 0) return empty && <p className="quiet">{empty}</p>;
  const side = (index: number) => (index < columns.length - right ? undefined : 'number');
  return (
    <table className={className}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} scope="col" className={side(index)}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, index) => (
              <td key={columns[index]} className={side(index)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type RowsProps = { rows: [ReactNode, ReactNode][] };

/** @property rows the label and the value of each */
export function Rows({ rows }: RowsProps) {
  return (
    <dl className="rows">
      {rows.map(([name, value], row) => (
        <div key={row}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type CountsProps = { counts: { count: number; label: string; dot?: DotKind }[] };

/** Figures in a line, each with its label. */
export function Counts({ counts }: CountsProps) {
  return (
    <p className="counts line">
      {counts.map(({ count, label, dot }) => (
        <span key={label} className="state">
          {dot && <Dot kind={dot} />} <b>{formatCount(count)}</b> {label}
        </span>
      ))}
    </p>
  );
}

/** @property details a paragraph each */
export type Item = { dot: DotKind; title: ReactNode; details: ReactNode[] };

type ItemsProps = { items: Item[]; empty?: ReactNode };

/** Items with their state, title and details. */
export function Items({ items, empty }: ItemsProps) {
  if (items.length === 0) return empty;
  return (
    <ul className="todo">
      {items.map(({ dot, title, details }, item) => (
        <li key={item}>
          <Dot kind={dot} />
          <div>
            <h3>{title}</h3>
            {details.map((each, paragraph) => (
              <p key={paragraph}>{each}</p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
