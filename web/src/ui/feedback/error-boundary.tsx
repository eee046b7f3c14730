import { Component, type ReactNode } from "react";

export interface ErrorBoundaryProps {
  /** Shown in place of children that failed; `retry` draws them again. */
  fallback: (retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Keeps a part that fails from taking the page with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed
      ? this.props.fallback(() => this.setState({ failed: false }))
      : this.props.children;
  }
}
