import { Button, chakra, Flex, HStack, IconButton, Table } from "@chakra-ui/react";
import { tableSlotRecipe } from "@chakra-ui/react/theme";
import {
  ArrowUpIcon,
  ChevronFirstIcon,
  ChevronLastIcon,
  ChevronLeftIcon,
  ChevronRightIcon,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { changedRecipe } from "../theme/recipe.ts";
import { Select } from "./field.tsx";
import {
  nextSort,
  numbersAround,
  pageCount,
  pageWithin,
  rowsOfPage,
  type SortValue,
  sortRows,
  type TableSort,
} from "./table-model.ts";

/** Style of every table. */
const TABLE = changedRecipe(tableSlotRecipe, {
  base: {
    // Sticky cells lose the borders of a collapsed table.
    root: { borderCollapse: "separate", borderSpacing: "0" },
    body: {
      "& > tr:hover": { bg: "color-mix(in srgb, {colors.bg.sunk} 55%, {colors.bg.panel})" },
      "& > tr[data-selected]": { bg: "bg.sunk" },
      "& > tr:last-child > *": { borderBottomWidth: "0" },
    },
    columnHeader: {
      h: "12",
      bg: "inherit",
      textStyle: "label",
      color: "fg.muted",
      whiteSpace: "nowrap",
      "&[aria-sort]": { color: "fg", fontWeight: "650" },
    },
    cell: { h: "12", bg: "inherit", whiteSpace: "nowrap" },
  },
  variants: {
    variant: { line: { row: { bg: "bg.panel" } } },
    size: {
      md: {
        root: { textStyle: "body" },
        columnHeader: { px: "2.5", py: "1.5" },
        cell: { px: "2.5", py: "1.5" },
      },
    },
  },
});

export interface TableColumn<Row> {
  readonly key: string;
  /** Null for a column whose cells name the rows. */
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
  /** True for a small table within a card: without frame, low rows. */
  bare?: boolean;
  /** Counted from 1. */
  page?: number;
  /** Default: all rows. */
  pageSize?: number;
  /** Without it the table has no pages. */
  onPage?: (page: number) => void;
  /** Available page sizes. */
  sizes?: readonly number[];
  onSize?: (size: number) => void;
  sort?: TableSort | null;
  onSort?: (sort: TableSort) => void;
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

/** Width of the column of checkboxes. */
const CHOICE = "3rem";

/** Checkboxes and the row's name stay in sight while the table scrolls sideways. */
const sticky = (left: string) => ({ position: "sticky", left, zIndex: 1 }) as const;

/** Long names are cut on a phone, and wrap where letters are large. */
const ROW_NAME = {
  boxShadow: "1px 0 0 {colors.border}",
  mdDown: { maxW: "46vw", overflow: "hidden", textOverflow: "ellipsis" },
  "@media (max-width: 22rem)": { whiteSpace: "normal" },
} as const;

const PAGE_TABLE = {
  position: "relative",
  overflow: "auto",
  scrollPaddingTop: "3.5rem",
  roundedTop: "card",
  maxH: { md: "max(24rem, calc(100dvh - 16rem))" },
  _focusVisible: { outlineOffset: "-2px" },
} as const;

/** Rows as low as their text. */
const BARE_CELLS = {
  "& :is(th, td)": { h: "auto", px: { base: "1.5", md: "3" }, py: "0.4rem" },
  "& th": { textStyle: "caption", fontWeight: "medium", color: "fg.muted" },
  "& tbody th": { whiteSpace: { mdDown: "normal" } },
};

/** Table with sorting, selection and paging. It scrolls sideways in its own container. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, bare = false, onPage, onSort, selected, onSelect, nameOf } = props;
  const { sort = null, pageSize = Number.POSITIVE_INFINITY, total = rows.length } = props;
  const { sizes, onSize, onSelectEvery, onOpen } = props;
  const isCut = props.total !== undefined;
  const { t } = useTranslation("common");
  const ordered = useMemo(() => {
    const sortBy = columns.find(({ key }) => key === sort?.key)?.sort;
    return sort && sortBy && !isCut ? sortRows(rows, sortBy, sort.descending) : rows;
  }, [rows, columns, sort, isCut]);
  const pages = pageCount(total, pageSize);
  const page = pageWithin(props.page ?? 1, pages);
  const shown = isCut ? rows : rowsOfPage(ordered, page, pageSize);
  const chosen = selected ? shown.filter((row) => selected.has(keyOf(row))).length : 0;
  const order = (key: string) =>
    sort?.key === key ? (sort.descending ? "descending" : "ascending") : undefined;
  /** Select the given rows, or clear them. */
  const choose = (keys: readonly string[], select: boolean) => {
    const next = new Set(selected);
    for (const key of keys) {
      if (select) next.add(key);
      else next.delete(key);
    }
    onSelect?.(next);
  };
  const rowName = bare ? {} : { ...sticky(selected ? CHOICE : "0"), ...ROW_NAME };
  return (
    <chakra.div minW="0" {...(bare ? { mt: "3" } : { layerStyle: "panel" })}>
      <Table.ScrollArea
        // A page may have many bare ones: they are no landmarks.
        role={bare ? "group" : "region"}
        aria-label={label}
        // A scroll container must be reachable by keyboard.
        tabIndex={0}
        // It is printed whole.
        data-scrolls
        {...(bare ? {} : PAGE_TABLE)}
      >
        <Table.Root
          recipe={TABLE}
          stickyHeader={!bare}
          css={bare ? BARE_CELLS : { "& thead tr > *": { zIndex: 2 } }}
        >
          <Table.Header>
            <Table.Row>
              {selected && (
                <Table.Cell w={CHOICE} p="0" {...sticky("0")}>
                  {onSelectEvery ? (
                    <SelectionCheckbox
                      label={t("table.selectEvery", { total })}
                      all={total > 0 && selected.size >= total}
                      some={selected.size > 0}
                      onPress={onSelectEvery}
                    />
                  ) : (
                    <SelectionCheckbox
                      label={t("table.selectAll")}
                      all={shown.length > 0 && chosen === shown.length}
                      some={chosen > 0}
                      onPress={(all) => choose(shown.map(keyOf), all)}
                    />
                  )}
                </Table.Cell>
              )}
              {columns.map(({ key, head, sort: sortBy, numeric }, place) => (
                <Table.ColumnHeader
                  key={key}
                  {...(head === null ? { as: "td" } : { scope: "col" })}
                  aria-sort={order(key)}
                  textAlign={numeric ? "end" : undefined}
                  {...(place === 0 && rowName)}
                >
                  {sortBy && onSort ? (
                    <chakra.button
                      type="button"
                      display="inline-flex"
                      // Beside the numbers, not between them and their header.
                      flexDirection={numeric ? "row-reverse" : undefined}
                      alignItems="center"
                      gap="1"
                      minH="max(2.25rem, var(--finger))"
                      cursor="pointer"
                      css={{
                        "& > svg": { opacity: 0 },
                        "&:hover > svg": { opacity: 0.5 },
                        "[aria-sort] > & > svg": { opacity: 1 },
                        "[aria-sort=descending] > & > svg": { transform: "rotate(180deg)" },
                      }}
                      onClick={() => onSort(nextSort(sort, key))}
                    >
                      {head}
                      <ArrowUpIcon size="0.9em" />
                    </chakra.button>
                  ) : (
                    head
                  )}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {shown.map((row) => {
              const rowKey = keyOf(row);
              const isSelected = selected?.has(rowKey) ?? false;
              return (
                <Table.Row
                  key={rowKey}
                  data-selected={isSelected || undefined}
                  cursor={onOpen ? "pointer" : undefined}
                  onClick={onOpen && (({ target }) => isForRow(target) && onOpen(row))}
                >
                  {selected && (
                    <Table.Cell p="0" {...sticky("0")}>
                      <SelectionCheckbox
                        label={t("table.select", { name: nameOf?.(row) ?? rowKey })}
                        all={isSelected}
                        onPress={(select) => choose([rowKey], select)}
                      />
                    </Table.Cell>
                  )}
                  {columns.map(({ key, cell, numeric }, place) => (
                    <Table.Cell
                      key={key}
                      textAlign={numeric ? "end" : undefined}
                      {...(place === 0 && {
                        as: "th",
                        scope: "row",
                        fontWeight: "semibold",
                        ...rowName,
                      })}
                    >
                      {cell(row)}
                    </Table.Cell>
                  ))}
                </Table.Row>
              );
            })}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      {onPage && total > 0 && (
        <TableFoot
          {...{ page, pageSize, total, onPage }}
          shown={shown.length}
          {...(sizes && onSize && { sizes, onSize })}
        />
      )}
    </chakra.div>
  );
}

interface SelectionCheckboxProps {
  label: string;
  all: boolean;
  /** True for a dash if not all are selected. */
  some?: boolean;
  onPress: (select: boolean) => void;
}

/** A checkbox of 48 px. The browser's own: a page has a hundred of them. */
function SelectionCheckbox({ label, all, some = false, onPress }: SelectionCheckboxProps) {
  return (
    <chakra.label display="grid" placeItems="center" boxSize={CHOICE} cursor="pointer" title={label}>
      <chakra.input
        type="checkbox"
        boxSize="1.15rem"
        colorScheme={{ _dark: "dark" }}
        cursor="pointer"
        checked={all}
        ref={(checkbox: HTMLInputElement | null) => {
          if (checkbox) checkbox.indeterminate = some && !all;
        }}
        onChange={() => onPress(!all)}
      />
      <span className="visually-hidden">{label}</span>
    </chakra.label>
  );
}

interface TableFootProps {
  /** Counted from 1. */
  page: number;
  pageSize: number;
  /** Number of rows on all pages. */
  total: number;
  /** Number of rows on this page. */
  shown: number;
  onPage: (page: number) => void;
  /** Available page sizes. */
  sizes?: readonly number[];
  onSize?: (size: number) => void;
}

/** Show which rows of how many a page has, its size, and the other pages. */
export function TableFoot({ page, pageSize, total, shown, onPage, sizes, onSize }: TableFootProps) {
  const { t } = useTranslation("common");
  const pages = pageCount(total, pageSize);
  const from = (page - 1) * pageSize + 1;
  return (
    <Flex
      align="center"
      justify="space-between"
      wrap="wrap"
      columnGap="4"
      rowGap="2"
      minH="12"
      px="3"
      py="1.5"
      borderTopWidth="1px"
      textStyle="label"
      color="fg.muted"
    >
      {shown > 0 && <span>{t("table.rows", { from, to: from + shown - 1, total })}</span>}
      {sizes && onSize && (
        <HStack as="label" ms="auto">
          {t("table.size")}
          <Select
            width="auto"
            color="fg"
            value={`${pageSize}`}
            options={sizes.map((each) => ({ value: `${each}`, label: `${each}` }))}
            onChange={(size) => onSize(Number(size))}
          />
        </HStack>
      )}
      {pages > 1 && <Pager page={page} pages={pages} onPage={onPage} />}
    </Flex>
  );
}

/** Nine buttons fit into one row at 360 px. */
const PAGE_BUTTON = {
  variant: "ghost",
  size: "sm",
  flex: { base: "1 1 0", md: "none" },
  minW: { base: "0", md: "2.5rem" },
  px: { base: "1", md: "2" },
} as const;

/**
 * First, previous, five numbers, next, last. Chakra's own Pagination disables a button at the ends, so that
 * pressing "next" up to the end loses the keyboard focus.
 */
export function Pager({
  page,
  pages,
  onPage,
}: {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}) {
  const { t } = useTranslation("common");
  const step = (label: string, to: number, icon: ReactNode) => (
    <IconButton
      {...PAGE_BUTTON}
      aria-label={label}
      title={label}
      aria-disabled={to === page}
      onClick={() => to !== page && onPage(to)}
    >
      {icon}
    </IconButton>
  );
  return (
    <Flex
      as="nav"
      aria-label={t("table.pages")}
      wrap={{ md: "wrap" }}
      gap={{ md: "1" }}
      w={{ base: "full", md: "auto" }}
    >
      {step(t("table.first"), 1, <ChevronFirstIcon />)}
      {step(t("table.previous"), Math.max(1, page - 1), <ChevronLeftIcon />)}
      {numbersAround(page, pages).map((number) => (
        <Button
          key={number}
          {...PAGE_BUTTON}
          {...(number === page && { variant: "solid", "aria-current": "page" })}
          aria-label={t("table.page", { page: number })}
          onClick={() => onPage(number)}
        >
          {number}
        </Button>
      ))}
      {step(t("table.next"), Math.min(pages, page + 1), <ChevronRightIcon />)}
      {step(t("table.last"), pages, <ChevronLastIcon />)}
    </Flex>
  );
}
