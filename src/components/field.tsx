import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import styles from './field.module.css';

type Field = { id: string; name: string; label: string; error?: string | undefined };

/** @property suggestion shown in place of an error, and announced when it appears; null while there is none */
type TextFieldProps = Field & InputHTMLAttributes<HTMLInputElement> & { suggestion?: ReactNode };

export function TextField({ label, error, suggestion, ...input }: TextFieldProps) {
  return (
    <FieldFrame id={input.id} label={label} error={error}>
      <input className={styles.control} {...describeValidity(input.id, error)} {...input} />
      {suggestion !== undefined && <output className={styles.suggestion}>{!error && suggestion}</output>}
    </FieldFrame>
  );
}

type SelectFieldProps = Field &
  SelectHTMLAttributes<HTMLSelectElement> & { placeholder: string; options: readonly string[] };

export function SelectField({ label, error, placeholder, options, ...select }: SelectFieldProps) {
  return (
    <FieldFrame id={select.id} label={label} error={error}>
      <select className={`${styles.control} ${styles.select}`} {...describeValidity(select.id, error)} {...select}>
        <option value="">{placeholder}</option>
        {options.map((option) => (
          // With an explicit value; otherwise the browser would send the text, which may have been translated.
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

type CheckboxFieldProps = Field & InputHTMLAttributes<HTMLInputElement>;

export function CheckboxField({ label, error, ...input }: CheckboxFieldProps) {
  return (
    <div className={styles.frame}>
      <label className={styles.choice}>
        <input className={styles.box} type="checkbox" {...describeValidity(input.id, error)} {...input} />
        {/* Not in an element: Orca would read it again after the checkbox's name. */}
        {label}
      </label>
      {error && <FieldError id={`${input.id}-error`} text={error} />}
    </div>
  );
}

type FieldFrameProps = Omit<Field, 'name'> & { children: ReactNode };

function FieldFrame({ id, label, error, children }: FieldFrameProps) {
  return (
    <div className={styles.frame}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {error && <FieldError id={`${id}-error`} text={error} />}
    </div>
  );
}

type FieldErrorProps = { id: string; text: string };

/** A field's error; the field refers to it by `aria-describedby`. */
export function FieldError({ id, text }: FieldErrorProps) {
  return (
    <p id={id} className={styles.error}>
      {text}
    </p>
  );
}

/** Without `aria-invalid="false"` an empty required field may be announced as invalid before anybody has typed. */
function describeValidity(id: string, error: string | undefined) {
  return {
    'aria-invalid': error !== undefined,
    'aria-describedby': error && `${id}-error`,
  };
}
