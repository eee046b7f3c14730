import type { ReactNode } from "react";
import "./card.css";

export interface CardProps {
  title?: ReactNode;
  /** Right of the title. */
  aside?: ReactNode;
  /** True for no padding around the content: for lists and charts that reach the edge. */
  flush?: boolean;
  children: ReactNode;
}

/** Panel with a border. */
export function Card({ title, aside, flush = false, children }: CardProps) {
  return (
    <section className="card" data-testid="card" data-flush={flush || undefined}>
      {(title || aside) && (
        <div className="card__head">
          {title && <h2 className="card__title">{title}</h2>}
          {aside}
        </div>
      )}
      <div className="card__body">{children}</div>
    </section>
  );
}
