import { Component, type ReactNode } from 'react';
import { ErrorMessage } from './error-message.tsx';

/** Keeps one failing part from taking the page down: in its place stands what went wrong. */
export class ErrorBoundary extends Component<
  { children: ReactNode; onError?: () => void },
  { error: Error | undefined }
> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(): void {
    this.props.onError?.();
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <ErrorMessage message={error.message} />;
  }
}
