import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Failing(): never {
  throw new Error('The dots ran out');
}

test('a failing part shows its message and no stack, and its neighbours stay', () => {
  // React reports the error to the console as well.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  render(
    <>
      <ErrorBoundary>
        <Failing />
      </ErrorBoundary>
      <p>Still here</p>
    </>,
  );
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('Unexpected Application Error!The dots ran out');
  expect(screen.getByText('Still here')).toBeDefined();
});
