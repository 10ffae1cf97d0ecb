import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CheckboxField, SelectField, TextField } from './field.tsx';

afterEach(cleanup);

test('a field has its label as its name, and without an error nothing else is read out', () => {
  render(<TextField id="town" name="town" label="Town" />);
  const field = screen.getByRole('textbox', { name: 'Town' });
  expect(field.hasAttribute('aria-invalid')).toBe(false);
  expect(field.hasAttribute('aria-describedby')).toBe(false);
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
  const { container } = render(field);
  const control = container.querySelector('#town')!;
  expect(control.getAttribute('aria-invalid')).toBe('true');
  const description = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('Enter a town.');
});
