import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createRowHeights, evenRowSpan, type RowHeights, type RowSpan, rowSpan } from "./row-span.ts";

/** Rows that are kept in the page on either side of what is seen: the next press of Tab finds one. */
const SPARE_ROWS = 8;

/** The same where a row is many things: what is drawn is paid for by all of them. */
const SPARE_BROAD_ROWS = 4;
const BROAD_FROM_COLUMNS = 8;

/** Of rows that are equally high, so many of the spare ones are used up before others are drawn. */
const NEAREST_ROWS = 2;

/** Rows of a list before its place in the window is known. */
const FIRST_ROWS = 12;

export interface RowSpanOptions {
  /** Things in the list. */
  readonly count: number;
  /** CSS px of a row while none has been seen. */
  readonly estimate: number;
  /** False: everything stands in the page. */
  readonly cut: boolean;
  /** Every row is as high as the first: what comes into the page need not be measured. */
  readonly even?: boolean;
}

/** The span with the number of things in a row. */
export interface ColumnedSpan extends RowSpan {
  readonly columns: number;
}

const alike = (a: ColumnedSpan, b: ColumnedSpan): boolean =>
  a.first === b.first &&
  a.end === b.end &&
  a.before === b.before &&
  a.after === b.after &&
  a.columns === b.columns;

/** How many columns the list's own grid makes; 1 where it is none. */
function columnsOf(list: HTMLElement): number {
  const tracks = getComputedStyle(list).gridTemplateColumns;
  return tracks === "" || tracks === "none" ? 1 : tracks.trim().split(/\s+/).length;
}

const gapOf = (list: HTMLElement): number => Number.parseFloat(getComputedStyle(list).rowGap) || 0;

/**
 * Which rows of a list stand in the page, while the page or a box around it scrolls. The list lies in the flow: the
 * rows that are left out are its padding, so that the browser itself keeps the place when heights turn out otherwise.
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
        const kept: ColumnedSpan = {
          ...before,
          columns,
          before: before.first * height,
          after: (rows - before.end) * height,
        };
        const enough = before.first <= needed.first && before.end >= needed.end && before.end <= rows;
        const spare = columns < BROAD_FROM_COLUMNS ? SPARE_ROWS : SPARE_BROAD_ROWS;
        return enough && alike(before, kept) ? before : around(spare);
      });
    },
    [count, estimate],
  );

  const look = useCallback(() => {
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
    // Each row says where it stands, as what is drawn may be older than the newest span.
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
    if (even) look();
  }, [even, look]);
  useLayoutEffect(() => {
    if (!even) look();
  });
  useEffect(() => {
    const element = list.current;
    if (!element || !cut) return;
    const resized = new ResizeObserver(() => {
      grid.current = null;
      look();
    });
    resized.observe(element);
    // Of whatever scrolls: the page, or a box that the list lies in.
    window.addEventListener("scroll", look, { passive: true, capture: true });
    window.addEventListener("resize", look);
    return () => {
      resized.disconnect();
      window.removeEventListener("scroll", look, { capture: true });
      window.removeEventListener("resize", look);
    };
  }, [list, look, cut]);
  return span;
}
