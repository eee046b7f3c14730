import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useLoadingWords } from "../../fleet/use-loading-words.ts";
import { Card } from "../../ui/layout/card.tsx";

interface MorningCardProps {
  readonly title: string;
  /** How many there are in all. */
  readonly count?: number;
  readonly aside?: ReactNode;
  /** Stands in place of an empty list. */
  readonly none: string;
  readonly empty: boolean;
  /** What the list cannot know, whether it is empty or not. */
  readonly note?: string | null;
  /** Where all of them stand. */
  readonly all?: { readonly to: string; readonly label: string } | undefined;
  /** Says how many are not shown. */
  readonly rest?: string | null;
  readonly children: ReactNode;
}

/** One question of the morning with the beginning of its answer. */
export function MorningCard(props: MorningCardProps) {
  const { title, count, aside, none, empty, note, all, rest, children } = props;
  // Of what is still on its way nothing is said to be absent.
  const loading = useLoadingWords();
  const heading = (
    <>
      {title} {count !== undefined && count > 0 && <span className="morning-card__count">{count}</span>}
    </>
  );
  return (
    <Card title={heading} aside={aside} flush>
      {empty ? (
        <p className="morning-card__none">{loading ?? none}</p>
      ) : (
        <ul className="morning-list">{children}</ul>
      )}
      {!empty && rest && <p className="morning-card__none">{rest}</p>}
      {note && <p className="morning-card__note">{note}</p>}
      {all && (
        <Link className="morning-card__all" to={all.to}>
          {all.label}
        </Link>
      )}
    </Card>
  );
}
