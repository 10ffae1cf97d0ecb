import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CheckboxField, SelectField, TextField } from './field.tsx';

test('a field has its label as its name, and without an error nothing else is read out', () => {
  const { control, name } = show(<TextField id="town" name="town" label="Town" />);
  expect(name).toBe('Town');
  // Firefox would call an empty required field invalid before anybody has typed.
  expect(control.getAttribute('aria-invalid')).toBe('false');
  expect(control.hasAttribute('aria-describedby')).toBe(false);
});

test.each([
  ['a text', <TextField key="1" id="town" name="town" label="Town" error="Enter a town." />],
  [
    'a choice of many',
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
  ['a tick box', <CheckboxField key="3" id="town" name="town" label="Town" error="Enter a town." />],
])('the error of %s is tied to it', (_, field) => {
  const { control } = show(field);
  expect(control.getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('Enter a town.');
});

test('the words of a tick box are in no element of their own, which Orca would read behind its name', () => {
  show(<CheckboxField id="town" name="town" label="Town" />);
  expect(document.querySelector('label')!.lastChild!.nodeType).toBe(Node.TEXT_NODE);
});

/** The control of a field on a page of its own, and what its label says. */
function show(field: ReactNode): { control: Element; name: string | undefined } {
  document.body.innerHTML = renderToStaticMarkup(field);
  const control = document.querySelector('#town')!;
  const name = document.querySelector('label[for="town"]')?.textContent;
  return { control, name };
}
