import { Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Card } from "../../components/card.tsx";
import { useLoadingWords } from "../../domain/fleet/use-loading-words.ts";

interface MorningCardProps {
  readonly title: string;
  /** Total number. */
  readonly count?: number;
  readonly aside?: ReactNode;
  /** Replaces an empty list. */
  readonly none: string;
  readonly empty: boolean;
  /** Limit of what the list knows, shown whether it is empty or not. */
  readonly note?: string | null;
  /** Link to the complete list. */
  readonly all?: { readonly to: string; readonly label: string } | undefined;
  /** Text with the number of rows that are not shown. */
  readonly rest?: string | null;
  readonly children: ReactNode;
}

/** Card of the overview with the first rows of one list. */
export function MorningCard(props: MorningCardProps) {
  const { title, count, aside, none, empty, note, all, rest, children } = props;
  // While data is loading, nothing is called absent.
  const loading = useLoadingWords();
  const heading = (
    <>
      {title}{" "}
      {count !== undefined && count > 0 && (
        <Text as="span" color="fg.muted" fontWeight="medium">
          {count}
        </Text>
      )}
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
      {note && (
        <Text py="3" px="card" borderTopWidth="1px" color="fg.muted" fontSize="caption">
          {note}
        </Text>
      )}
      {all && (
        <Link className="morning-card__all" to={all.to}>
          {all.label}
        </Link>
      )}
    </Card>
  );
}
