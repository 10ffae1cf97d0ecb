import { StrictMode, useId } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { hydrateOnce } from '#client/interactions.ts';
import { Island } from './island.tsx';
import type { IslandName } from '#client/islands.ts';

vi.mock('#client/islands.ts', () => ({
  ISLANDS: { 'labelled-input': async () => LabelledInput, counter: async () => Counter },
}));

test('hydrates each island’s own component, and keeps the server-rendered ids', async () => {
  document.body.innerHTML = renderToString(
    <StrictMode>
      <LabelledInput label="Before" />
      <Island id="first" {...island('labelled-input', { label: 'First' })} />
      <Island id="second" {...island('labelled-input', { label: 'Second' })} />
      <Island id="third" {...island('counter', { unit: 'days' })} />
    </StrictMode>,
  );
  const controls = () => [...document.querySelectorAll('input, button')];
  const [prerendered, ids] = [controls(), controls().map(({ id }) => id)];
  expect(new Set(ids).size).toBe(4);
  for (const id of ['first', 'second', 'third']) await hydrateOnce(document.getElementById(id)!);
  expect(controls().map(({ id }) => id)).toEqual(ids);
  // The same elements: React didn't render them again.
  expect(controls()).toEqual(prerendered);
  expect(document.getElementById('third')!.textContent).toBe('0 days');
});

/** The names of real islands are typed; these exist only in this test. */
function island(name: string, props: object) {
  return { name: name as IslandName, props: props as never };
}

function LabelledInput({ label }: { label: string }) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input id={id} />
    </p>
  );
}

function Counter({ unit }: { unit: string }) {
  return <button type="button" id={useId()}>{`0 ${unit}`}</button>;
}
