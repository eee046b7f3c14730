import type { ReactNode } from "react";
import "./empty-state.css";

export interface EmptyStateProps {
  /** An illustration. */
  scene: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** Fill a page without content: an illustration, a sentence and the next step. */
export function EmptyState({ scene, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state" data-testid="empty-state">
      <div className="empty-state__scene">{scene}</div>
      <h1 className="empty-state__title">{title}</h1>
      {children && <p className="empty-state__text">{children}</p>}
      {action}
    </div>
  );
}
