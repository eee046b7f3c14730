import { ChevronDownIcon } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { PageSize } from "./page-size.tsx";
import { Pager } from "./pager.tsx";
import { SelectAll, SelectEvery } from "./select-all.tsx";
import {
  nextSort,
  pageCount,
  pageWithin,
  rowsOfPage,
  type SortValue,
  sortRows,
  type TableSort,
} from "./table-model.ts";
import "./data-table.css";

export interface TableColumn<Row> {
  readonly key: string;
  readonly head: ReactNode;
  /** Render a cell; a live cell should be a component, so that the table does not re-render for a reading. */
  readonly cell: (row: Row) => ReactNode;
  /** Value to sort by; a column without it is not sortable. */
  readonly sort?: (row: Row) => SortValue;
  /** True to align numbers at the end of the cell. */
  readonly numeric?: boolean;
}

export interface DataTableProps<Row> {
  /** Accessible name: the listed objects. */
  label: string;
  /** The first one names the row and stays visible. */
  columns: readonly TableColumn<Row>[];
  /** All rows of all pages; with `total`, those of the open page only, in order. */
  rows: readonly Row[];
  /** Number of rows on all pages if the caller sorts and pages them. */
  total?: number;
  keyOf: (row: Row) => string;
  /** Counted from 1. */
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  /** Available page sizes. */
  sizes?: readonly number[];
  onSize?: (size: number) => void;
  sort: TableSort | null;
  onSort: (sort: TableSort) => void;
  /** Keys of the selected rows; without it rows are not selectable. */
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  /** Select or clear every row of every page; without it the header checkbox covers the open page only. */
  onSelectEvery?: (chosen: boolean) => void;
  /** Name of a row for its checkbox; used if rows are selectable. */
  nameOf?: (row: Row) => string;
  /**
   * Open a row by a press anywhere in it. For the keyboard its first cell contains a link to the same page.
   */
  onOpen?: (row: Row) => void;
}

/** Controls whose press does not open the row. */
const CONTROLS = "a, button, input, label, select";

const isForRow = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(CONTROLS) === null && !window.getSelection()?.toString();

/** Table with sorting, selection and paging. It scrolls sideways in its own container. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, pageSize, onPage, sort, onSort, selected, onSelect, nameOf } = props;
  const { total = rows.length, sizes, onSize, onSelectEvery, onOpen } = props;
  const isCut = props.total !== undefined;
  const { t } = useTranslation("common");
  const ordered = useMemo(() => {
    const sortBy = columns.find(({ key }) => key === sort?.key)?.sort;
    return sort && sortBy && !isCut ? sortRows(rows, sortBy, sort.descending) : rows;
  }, [rows, columns, sort, isCut]);
  const pages = pageCount(total, pageSize);
  const page = pageWithin(props.page, pages);
  const shown = isCut ? rows : rowsOfPage(ordered, page, pageSize);
  const from = (page - 1) * pageSize + 1;
  const order = (key: string) =>
    sort?.key === key ? (sort.descending ? "descending" : "ascending") : undefined;
  const toggle = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect?.(next);
  };
  return (
    <div className="data-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard */}
      <section className="data-table__box" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {selected && (
                <td className="data-table__choice">
                  {onSelectEvery ? (
                    <SelectEvery total={total} chosen={selected.size} onPress={onSelectEvery} />
                  ) : (
                    <SelectAll keys={shown.map(keyOf)} selected={selected} onSelect={onSelect} />
                  )}
                </td>
              )}
              {columns.map(({ key, head, sort: sortBy, numeric }) => (
                <th key={key} scope="col" aria-sort={order(key)} data-numeric={numeric}>
                  {sortBy ? (
                    <button
                      type="button"
                      className="data-table__sort"
                      onClick={() => onSort(nextSort(sort, key))}
                    >
                      {head}
                      <ChevronDownIcon size="0.9em" />
                    </button>
                  ) : (
                    head
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const rowKey = keyOf(row);
              return (
                <tr
                  key={rowKey}
                  data-selected={selected?.has(rowKey) || undefined}
                  data-opens={onOpen ? true : undefined}
                  onClick={onOpen && (({ target }) => isForRow(target) && onOpen(row))}
                >
                  {selected && (
                    <td className="data-table__choice">
                      <label className="data-table__check">
                        <input
                          type="checkbox"
                          checked={selected.has(rowKey)}
                          onChange={() => toggle(rowKey)}
                        />
                        <span className="visually-hidden">
                          {t("table.select", { name: nameOf?.(row) ?? rowKey })}
                        </span>
                      </label>
                    </td>
                  )}
                  {columns.map(({ key, cell, numeric }, place) =>
                    place === 0 ? (
                      <th key={key} scope="row" data-numeric={numeric}>
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={key} data-numeric={numeric}>
                        {cell(row)}
                      </td>
                    ),
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {total > 0 && (
        <div className="data-table__foot">
          <span>{t("table.rows", { from, to: from + shown.length - 1, total })}</span>
          {sizes && onSize && <PageSize size={pageSize} sizes={sizes} onSize={onSize} />}
          {pages > 1 && <Pager page={page} pages={pages} onPage={onPage} />}
        </div>
      )}
    </div>
  );
}
