import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Card } from "../../ui/layout/card.tsx";

interface MorningCardProps {
  readonly title: string;
  /** How many there are in all. */
  readonly count?: number;
  readonly aside?: ReactNode;
  /** Stands in place of an empty list. */
  readonly none: string;
  readonly empty: boolean;
  /** Where all of them stand. */
  readonly all?: { readonly to: string; readonly label: string } | undefined;
  /** Says how many are not shown, where nothing leads to them. */
  readonly rest?: string | null;
  readonly children: ReactNode;
}

/** One question of the morning with the beginning of its answer. */
export function MorningCard({ title, count, aside, none, empty, all, rest, children }: MorningCardProps) {
  const heading = (
    <>
      {title} {count !== undefined && count > 0 && <span className="morning-card__count">{count}</span>}
    </>
  );
  return (
    <Card title={heading} aside={aside} flush>
      {empty ? <p className="morning-card__none">{none}</p> : <ul className="morning-list">{children}</ul>}
      {!empty && rest && <p className="morning-card__none">{rest}</p>}
      {all && (
        <Link className="morning-card__all" to={all.to}>
          {all.label}
        </Link>
      )}
    </Card>
  );
}
