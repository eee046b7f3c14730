import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createRowHeights, evenRowSpan, type RowHeights, type RowSpan, rowSpan } from "./row-span.ts";

/** Extra rows rendered on either side of the visible range: the Tab key needs a next one. */
const SPARE_ROWS = 8;

/** Extra rows for a grid with many items per row: each item costs. */
const SPARE_BROAD_ROWS = 4;
const BROAD_FROM_COLUMNS = 8;

/** For equal rows: re-render when this few extra rows remain. */
const NEAREST_ROWS = 2;

/** Rows rendered before the list's position is known. */
const FIRST_ROWS = 12;

export interface RowSpanOptions {
  /** Number of items in the list. */
  readonly count: number;
  /** Row height before any measurement, CSS px. */
  readonly estimate: number;
  /** False: render all items. */
  readonly cut: boolean;
  /** True if all rows are as high as the first: new rows need no measurement. */
  readonly even?: boolean;
}

/** Span with the number of items per row. */
export interface ColumnedSpan extends RowSpan {
  readonly columns: number;
}

const alike = (a: ColumnedSpan, b: ColumnedSpan): boolean =>
  a.first === b.first &&
  a.end === b.end &&
  a.before === b.before &&
  a.after === b.after &&
  a.columns === b.columns;

/** Return the number of columns of the list's grid; 1 if it is no grid. */
function columnsOf(list: HTMLElement): number {
  const tracks = getComputedStyle(list).gridTemplateColumns;
  return tracks === "" || tracks === "none" ? 1 : tracks.trim().split(/\s+/).length;
}

const gapOf = (list: HTMLElement): number => Number.parseFloat(getComputedStyle(list).rowGap) || 0;

/**
 * Compute which rows of a list to render while the page or a container scrolls. The list is in the page flow
 * and omitted rows are padding. The browser therefore keeps the scroll position when heights change.
 */
export function useRowSpan(list: RefObject<HTMLElement | null>, options: RowSpanOptions): ColumnedSpan {
  const { count, estimate, cut, even = false } = options;
  const grid = useRef<{ columns: number; height: number } | null>(null);
  const measured = useRef<{ columns: number; heights: RowHeights } | null>(null);
  const [span, setSpan] = useState<ColumnedSpan>(() => ({
    columns: 1,
    first: 0,
    end: FIRST_ROWS,
    before: 0,
    after: 0,
  }));

  const lookAtEven = useCallback(
    (element: HTMLElement) => {
      grid.current ??= {
        columns: columnsOf(element),
        height: element.firstElementChild?.getBoundingClientRect().height || estimate,
      };
      const { columns, height } = grid.current;
      const { top } = element.getBoundingClientRect();
      const rows = Math.ceil(count / columns);
      const around = (spare: number): ColumnedSpan => ({
        ...evenRowSpan(rows, height, -top - spare * height, window.innerHeight - top + spare * height),
        columns,
      });
      const needed = around(NEAREST_ROWS);
      setSpan((before) => {
        const span: ColumnedSpan = {
          ...before,
          columns,
          before: before.first * height,
          after: (rows - before.end) * height,
        };
        const enough = before.first <= needed.first && before.end >= needed.end && before.end <= rows;
        const spare = columns < BROAD_FROM_COLUMNS ? SPARE_ROWS : SPARE_BROAD_ROWS;
        return enough && alike(before, span) ? before : around(spare);
      });
    },
    [count, estimate],
  );

  const update = useCallback(() => {
    const element = list.current;
    if (!element || !cut) return;
    if (even) {
      lookAtEven(element);
      return;
    }
    const columns = columnsOf(element);
    if (measured.current?.columns !== columns) {
      measured.current = { columns, heights: createRowHeights(estimate) };
    }
    const { heights } = measured.current;
    const gap = gapOf(element);
    // Each row carries its index: the rendered rows may be older than the newest span.
    for (const child of element.children) {
      const index = child instanceof HTMLElement ? Number(child.dataset.index) : Number.NaN;
      const height = child.getBoundingClientRect().height;
      if (height > 0 && index % columns === 0) heights.note(index / columns, height + gap);
    }
    const { top } = element.getBoundingClientRect();
    const spare = SPARE_ROWS * heights.of(0);
    const rows = Math.ceil(count / columns);
    const next = {
      ...rowSpan(rows, heights.of, -top - spare, window.innerHeight - top + spare),
      columns,
    };
    setSpan((before) => (alike(before, next) ? before : next));
  }, [list, count, estimate, cut, even, lookAtEven]);

  useLayoutEffect(() => {
    if (even) update();
  }, [even, update]);
  useLayoutEffect(() => {
    if (!even) update();
  });
  useEffect(() => {
    const element = list.current;
    if (!element || !cut) return;
    const resized = new ResizeObserver(() => {
      grid.current = null;
      update();
    });
    resized.observe(element);
    // Listen to any scroll container: the page, or an element around the list.
    window.addEventListener("scroll", update, { passive: true, capture: true });
    window.addEventListener("resize", update);
    return () => {
      resized.disconnect();
      window.removeEventListener("scroll", update, { capture: true });
      window.removeEventListener("resize", update);
    };
  }, [list, update, cut]);
  return span;
}
