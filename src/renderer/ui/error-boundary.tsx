import { Component } from 'react';
import type { ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Stands in place of what failed. `retry` draws it again. */
  readonly fallback: (error: Error, retry: () => void) => ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | null;
}

/** Keeps a bug in one part of the screen from taking the rest with it. A class, since React has no other way. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override readonly state: ErrorBoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): ErrorBoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.fallback(error, () => {
      this.setState({ error: null });
    });
  }
}
