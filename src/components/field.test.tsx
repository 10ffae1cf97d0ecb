import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CheckboxField, SelectField, TextField } from './field.tsx';

test('names a field by its label, and doesn’t describe it if there is no error', () => {
  const { control, name } = show(<TextField id="town" name="town" label="Town" />);
  expect(name).toBe('Town');
  // Firefox would announce an empty required field as invalid before anybody has typed.
  expect(control.getAttribute('aria-invalid')).toBe('false');
  expect(control.hasAttribute('aria-describedby')).toBe(false);
});

test.each([
  ['a text field', <TextField key="1" id="town" name="town" label="Town" error="Enter a town." />],
  [
    'a select',
    <SelectField
      key="2"
      id="town"
      name="town"
      label="Town"
      placeholder="Any"
      options={['York']}
      error="Enter a town."
    />,
  ],
  ['a checkbox', <CheckboxField key="3" id="town" name="town" label="Town" error="Enter a town." />],
])('describes %s with its error', (_, field) => {
  const { control } = show(field);
  expect(control.getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('Enter a town.');
});

test('gives a checkbox’s text no element of its own, which Orca would read after the name', () => {
  show(<CheckboxField id="town" name="town" label="Town" />);
  expect(document.querySelector('label')!.lastChild!.nodeType).toBe(Node.TEXT_NODE);
});

/** Renders a field. @returns its control, and the text of its label */
function show(field: ReactNode): { control: Element; name: string | undefined } {
  document.body.innerHTML = renderToStaticMarkup(field);
  const control = document.querySelector('#town')!;
  const name = document.querySelector('label[for="town"]')?.textContent;
  return { control, name };
}
