import { act, cleanup, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { choose } from './consent.ts';
import { nothing } from './sample-preferences.ts';
import { useConsent } from './use-consent.ts';

function Map() {
  return <p>{useConsent('preferences') ? 'A map' : 'A link to a map'}</p>;
}

beforeEach(() => choose('essential', nothing));
afterEach(cleanup);

it('a part of the page shows what its category allows, and follows every change', () => {
  render(<Map />);
  expect(screen.getByText('A link to a map')).toBeDefined();
  act(() => choose('all', nothing));
  expect(screen.getByText('A map')).toBeDefined();
  act(() => choose('custom', { ...nothing, statistics: true }));
  expect(screen.getByText('A link to a map')).toBeDefined();
});

it('rendered ahead of time, nothing optional is there', () => {
  choose('all', nothing);
  expect(renderToString(<Map />)).toContain('A link to a map');
});
