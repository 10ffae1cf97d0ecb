import { StrictMode, useId } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { hydrate } from './hydrate.tsx';
import { Island } from './island.tsx';

test('a part that uses useId has the same ids on the server and in the browser', () => {
  document.body.innerHTML = renderToString(
    <StrictMode>
      <LabelledInput label="Before" />
      <Island id="first" component={LabelledInput} props={{ label: 'First' }} />
      <Island id="second" component={LabelledInput} props={{ label: 'Second' }} />
    </StrictMode>,
  );
  const ids = () => [...document.querySelectorAll('input')].map(({ id }) => id);
  const [prerendered, inputs] = [ids(), [...document.querySelectorAll('input')]];
  expect(new Set(prerendered).size).toBe(3);
  for (const [id, label] of [
    ['first', 'First'],
    ['second', 'Second'],
  ] as const) {
    hydrate(document.getElementById(id)!, LabelledInput, { label });
  }
  expect(ids()).toEqual(prerendered);
  // The same elements: React did not have to render them again.
  expect([...document.querySelectorAll('input')]).toEqual(inputs);
});

function LabelledInput({ label }: { label: string }) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input id={id} />
    </p>
  );
}
