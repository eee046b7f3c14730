import { type ReactNode, useMemo } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { DownIcon } from "../icon/icons.tsx";
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
  /** A component of its own where it is live: the table is not drawn anew for a reading. */
  readonly cell: (row: Row) => ReactNode;
  /** Orders the table; a column without it is not for ordering. */
  readonly sort?: (row: Row) => SortValue;
  /** Numbers stand at the end of their cell. */
  readonly numeric?: boolean;
}

export interface DataTableProps<Row> {
  /** What it lists, for those who do not see it. */
  label: string;
  /** The first one names the row and stays in sight. */
  columns: readonly TableColumn<Row>[];
  /** All rows of all pages; with `total` those of the open page alone, in their order. */
  rows: readonly Row[];
  /** How many rows all pages have together, where somebody else orders them and cuts them into pages. */
  total?: number;
  keyOf: (row: Row) => string;
  /** Counted from 1. */
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  /** How many rows a page may have, for who wants more of them at once. */
  sizes?: readonly number[];
  onSize?: (size: number) => void;
  sort: TableSort | null;
  onSort: (sort: TableSort) => void;
  /** Keys of the chosen rows; without it rows are not for choosing. */
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  /** Chooses every row of every page, or none; without it the box in the head is for the open page alone. */
  onSelectEvery?: (chosen: boolean) => void;
  /** What a row is called, for its box; asked for where rows are chosen. */
  nameOf?: (row: Row) => string;
  /** Opens a row by a press anywhere in it. For the keyboard its first cell holds a link to the same place. */
  onOpen?: (row: Row) => void;
}

/** What a press on is meant for itself, not for the row around it. */
const CONTROLS = "a, button, input, label, select";

const isForRow = (target: EventTarget): boolean =>
  target instanceof Element && target.closest(CONTROLS) === null && !window.getSelection()?.toString();

/** A table with its order, its choice of rows and its pages. It scrolls sideways in a box of its own. */
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
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
                      <DownIcon size="0.9em" />
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
