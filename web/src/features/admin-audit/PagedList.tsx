import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { UsedList } from "../../api/listed.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { useFailureWords } from "../../ui/feedback/use-error-words.ts";
import { PageSize } from "../../ui/table/page-size.tsx";
import { Pager } from "../../ui/table/pager.tsx";
import { pageCount, pageWithin } from "../../ui/table/table-model.ts";
import { type ListAddress, PAGE_SIZES } from "../../ui/table/use-list-address.ts";

interface PagedListProps<Row> {
  label: string;
  list: UsedList<Row>;
  address: ListAddress;
  /** Text of an empty list. */
  none: string;
  keyOf: (row: Row) => string | number;
  children: (row: Row) => ReactNode;
}

/** List of entries, newest first, in pages. */
export function PagedList<Row>({ label, list, address, none, keyOf, children }: PagedListProps<Row>) {
  const { t } = useTranslation("common");
  const failureWords = useFailureWords();
  const { listed, failure, again } = list;
  const rows = listed?.rows ?? [];
  const total = listed?.kind === "page" ? listed.total : rows.length;
  const pages = pageCount(total, address.size);
  const page = pageWithin(address.page, pages);
  const from = (page - 1) * address.size + 1;
  return (
    <>
      {failure !== null && (
        <ErrorNote
          action={
            <Button size="sm" variant="outline" onClick={again}>
              {t("action.retry")}
            </Button>
          }
        >
          {failureWords(failure)}
        </ErrorNote>
      )}
      {listed === null && failure === null && <Skeleton height="24rem" />}
      {listed !== null && total === 0 && (
        <p className="admin-list__none" data-testid="none-found">
          {none}
        </p>
      )}
      {listed !== null && total > 0 && (
        <div className="admin-entries">
          <ol aria-label={label}>
            {rows.map((row) => (
              <li key={keyOf(row)}>{children(row)}</li>
            ))}
          </ol>
          <div className="data-table__foot">
            {rows.length > 0 && <span>{t("table.rows", { from, to: from + rows.length - 1, total })}</span>}
            <PageSize size={address.size} sizes={PAGE_SIZES} onSize={address.onSize} />
            {pages > 1 && <Pager page={page} pages={pages} onPage={address.onPage} />}
          </div>
        </div>
      )}
    </>
  );
}
