import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

afterEach(() => vi.restoreAllMocks());

function Failing(): never {
  throw new Error('The dots ran out');
}

test('a failing part shows its message and no stack, and its neighbours stay', () => {
  // React reports the error to the console as well.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const page = document.createElement('div');
  flushSync(() =>
    createRoot(page).render(
      <>
        <ErrorBoundary>
          <Failing />
        </ErrorBoundary>
        <p>Still here</p>
      </>,
    ),
  );
  expect(page.querySelector('[role="alert"]')?.textContent).toBe('Unexpected Application Error!The dots ran out');
  expect(page.textContent).toContain('Still here');
});
