import type { ReactNode } from 'react';
import { capitalise } from '#newsletter/format.ts';
import { Button, Field, sendAction } from '../ui.tsx';
import type { FieldErrors } from './check-fields.ts';
import { findVariant, type FormField } from './describe-form.ts';
import type { FieldState } from './draft.ts';
import type { Value } from '#content/edit-yaml.ts';
import { toText } from './list-changes.ts';
import { Undo } from './undo.tsx';

type ControlProps = {
  field: FormField;
  name: string;
  value: Value;
  errors: FieldErrors;
  note?: string | undefined;
  placeholder?: string | undefined;
};

/** Renders the control of a field, or the controls of a group or a list. */
export function Control({ field, name, value, errors, note, placeholder }: ControlProps) {
  const common = { id: name, label: field.label, hint: field.hint, note, error: errors.get(name) };
  switch (field.kind) {
    case 'text':
      return (
        <Field
          {...common}
          {...(field.isLong ? { as: 'textarea', rows: 3 } : {})}
          label={field.isOptional ? `${field.label} (optional)` : field.label}
          defaultValue={value as string}
          placeholder={placeholder}
          spellCheck
        />
      );
    case 'markdown':
      return <Field {...common} as="textarea" rows={24} defaultValue={value as string} spellCheck />;
    case 'picture':
    case 'page':
      return null;
    case 'choice':
      return (
        <Field
          {...common}
          choices={Object.fromEntries(field.options.map((option) => [option, capitalise(option)]))}
          defaultValue={value as string}
        />
      );
    case 'toggle':
      return (
        <label className="choice">
          <input type="hidden" name={`${name}.shown`} value="yes" />
          <input type="checkbox" name={name} defaultChecked={value === true} />
          <span>
            {field.label} {field.hint && <small>{field.hint}</small>}
          </span>
        </label>
      );
    case 'variants': {
      const variant = findVariant(field, value);
      if (variant === undefined) return null;
      return (
        <>
          <input type="hidden" name={`${name}.kind`} value={variant.name} />
          <GroupControls field={variant} name={name} value={value} errors={errors} />
        </>
      );
    }
    case 'group':
      return (
        <fieldset className="group" id={name}>
          <legend>{field.label}</legend>
          {field.hint && <p className="hint">{field.hint}</p>}
          <GroupControls field={field} name={name} value={value} errors={errors} />
        </fieldset>
      );
    default:
      return <ListControl field={field} name={name} value={value as Value[]} errors={errors} note={note} />;
  }
}

function GroupControls({ field, name, value, errors }: ControlProps & { field: { kind: 'group' } & FormField }) {
  const group = value as Record<string, Value>;
  return field.fields.map((each) => (
    <Control
      key={each.name}
      field={each}
      name={`${name}.${each.name}`}
      value={group[each.name] ?? ''}
      errors={errors}
    />
  ));
}

type ListProps = Omit<ControlProps, 'field' | 'value'> & { field: FormField & { kind: 'list' }; value: Value[] };

/** One collapsed row for each entry; entries that are empty or have errors are expanded. */
function ListControl({ field, name, value, errors, note }: ListProps) {
  const { label, hint, min, max } = field;
  const error = errors.get(name);
  return (
    <fieldset className={error ? 'entries wrong' : 'entries'} id={name} tabIndex={-1}>
      <legend>
        {label} <small>{[value.length, note].filter((each) => each !== undefined).join(', ')}</small>
      </legend>
      {hint && <p className="hint">{hint}</p>}
      {error && <p className="error">{error}</p>}
      <input type="hidden" name={`${name}.count`} value={value.length} />
      <ol>
        {value.map((entry, index) => (
          <li key={`${index} of ${value.length}`}>
            <Entry field={field.entry} name={`${name}.${index}`} value={entry} errors={errors} number={index + 1} />
            <div className="line">
              <Move list={name} action="up" index={index} label={`Move item ${index + 1} up`} isOff={index === 0}>
                ↑
              </Move>
              <Move
                list={name}
                action="down"
                index={index}
                label={`Move item ${index + 1} down`}
                isOff={index === value.length - 1}
              >
                ↓
              </Move>
              <Move
                list={name}
                action="remove"
                index={index}
                label={`Remove item ${index + 1}`}
                isOff={value.length <= min}
              >
                ×
              </Move>
            </div>
          </li>
        ))}
      </ol>
      {value.length < max && field.entry.kind === 'variants' && (
        <AddVariant list={name} index={value.length} entry={field.entry} />
      )}
      {value.length < max && field.entry.kind !== 'variants' && (
        <Button action="add" values={{ list: name, index: value.length }}>
          {describeAddButton(field.entry.label)}
        </Button>
      )}
    </fieldset>
  );
}

type AddVariantProps = { list: string; index: number; entry: FormField & { kind: 'variants' } };

function AddVariant({ list, index, entry }: AddVariantProps) {
  return (
    <div className="actions line">
      {Object.values(entry.variants).map(({ name, label }) => (
        <Button key={name} action="add" values={{ list, index, variant: name }}>
          Add {label}
        </Button>
      ))}
    </div>
  );
}

/** @param label from the schema of an entry, such as "Question"; "Entry" if the schema has no label */
function describeAddButton(label: string): string {
  if (label === 'Entry') return 'Add one';
  return `Add ${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label.toLowerCase()}`;
}

type MoveProps = { list: string; action: string; index: number; label: string; isOff: boolean; children: ReactNode };

function Move({ list, action, index, label, isOff, children }: MoveProps) {
  return (
    <button type="submit" {...sendAction({ action, values: { list, index } })} aria-label={label} disabled={isOff}>
      {children}
    </button>
  );
}

function Entry({ field, name, value, errors, number }: Omit<ControlProps, 'note'> & { number: number }) {
  const variant = field.kind === 'variants' ? findVariant(field, value) : undefined;
  if (field.kind !== 'group' && variant === undefined) {
    return (
      <Control
        field={{ ...field, label: field.label === 'Entry' ? String(number) : `${field.label} ${number}` }}
        name={name}
        value={value}
        errors={errors}
      />
    );
  }
  const strings = Object.values(value as Record<string, Value>).filter((each) => typeof each === 'string');
  const title = variant?.label ?? strings.find((each) => each !== '') ?? '';
  const isWrong = [...errors.keys()].some((key) => key === name || key.startsWith(`${name}.`));
  return (
    <details id={name} open={isWrong || title === ''}>
      <summary>
        {number}. {title}
      </summary>
      {field.kind === 'group' ? (
        <GroupControls field={field} name={name} value={value} errors={errors} />
      ) : (
        <Control field={field} name={name} value={value} errors={errors} />
      )}
    </details>
  );
}

type ControlsProps = { fields: FieldState[]; errors: FieldErrors; colours: Colours | undefined };

/** The colours that the site uses if a field of brand.yaml is empty, by the field's path. */
export type Colours = Record<string, Record<string, string>>;

/** The fields of a form, each with any other versions that the owner can choose instead. */
export function Controls({ fields, errors, colours }: ControlsProps) {
  return fields.map((state, index) => {
    const { key, path, field, value, heading, isChanged } = state;
    return (
      <div key={key} data-key={key}>
        {heading && heading !== fields[index - 1]?.heading && <h2>{heading}</h2>}
        <Control
          field={field}
          name={key}
          value={value}
          errors={errors}
          note={isChanged ? 'not live yet' : undefined}
          placeholder={colours?.[path[0]!]?.[path[1]!]}
        />
        {state.isConflict && (
          <Choice
            id={key}
            sentence="This has been changed elsewhere since the draft was begun. It is now"
            other={field.kind === 'picture' && state.live ? 'another picture' : state.live}
            action="use-live"
          />
        )}
        {state.earlier !== undefined && (
          <Choice id={key} sentence="The draft said before" other={state.earlier} action="use-earlier" />
        )}
        <Undo at={key} />
        {state.git !== undefined && (
          <Choice
            id={key}
            sentence="The software’s own text has changed. It now says"
            other={field.kind === 'picture' && state.git ? 'another picture' : state.git}
            action="use-git"
            keep="keep-own"
          />
        )}
      </div>
    );
  });
}

type ChoiceProps = { id: string; sentence: string; other: Value; action: string; keep?: string };

function Choice({ id, sentence, other, action, keep = 'keep' }: ChoiceProps) {
  return (
    <div className="notice">
      {sentence}: “{toText(other) || 'nothing'}”
      <div className="line">
        <Button action={action} values={{ field: id }}>
          Use that version
        </Button>
        <Button action={keep} values={{ field: id }}>
          Keep this version
        </Button>
      </div>
    </div>
  );
}
