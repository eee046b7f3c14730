import { type Range, useVirtualizer, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";

/** Maximum number of items rendered whole: such a page can be printed and searched by the browser. */
export const WHOLE_UP_TO = 60;

/**
 * `spare`: extra rows rendered on either side of the visible range, because the Tab key needs a next one.
 * `step`: the rendered range moves by this many rows, so that most scroll events render nothing.
 */
const OF_LIST = { spare: 8, step: 4 } as const;
const OF_GRID = { spare: 2, step: 2 } as const;

/** Extend a range by the spare rows, to whole steps. A list beside the window has a range of one row. */
function inSteps({ startIndex, endIndex, count }: Range, { spare, step }: { spare: number; step: number }) {
  const more = startIndex === endIndex ? 1 : spare;
  const from = Math.max(0, Math.floor(startIndex / step) * step - more);
  const to = Math.min(count, Math.ceil((endIndex + 1) / step) * step + more);
  return Array.from({ length: to - from }, (_, place) => from + place);
}

/** Place of the list and its grid, CSS px. */
interface Grid {
  readonly columns: number;
  readonly gap: number;
  /** Height of the first row; the estimate before it is rendered. */
  readonly height: number;
  /** Distance from the beginning of the scrolled content. */
  readonly top: number;
}

function measureGrid(list: HTMLElement, scroller: HTMLElement | null, estimate: number): Grid {
  const { gridTemplateColumns: tracks, rowGap } = getComputedStyle(list);
  const { top } = list.getBoundingClientRect();
  return {
    columns: tracks === "" || tracks === "none" ? 1 : tracks.trim().split(/\s+/).length,
    gap: Number.parseFloat(rowGap) || 0,
    height: list.firstElementChild?.getBoundingClientRect().height || estimate,
    top: Math.round(
      scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY,
    ),
  };
}

/** Measure the list when its size or that of the page changes. */
function useGrid(
  list: RefObject<HTMLElement | null>,
  scroller: HTMLElement | null | undefined,
  estimate: number,
): Grid {
  const [grid, setGrid] = useState<Grid>({ columns: 1, gap: 0, height: estimate, top: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () =>
      setGrid((before) => {
        const next = measureGrid(element, scroller ?? null, estimate);
        return JSON.stringify(next) === JSON.stringify(before) ? before : next;
      });
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    resized.observe(document.body);
    return () => resized.disconnect();
  }, [list, scroller, estimate]);
  return grid;
}

export interface VirtualRowsProps {
  count: number;
  /** Row height before any measurement, CSS px; real heights are measured. */
  estimate: number;
  keyOf: (index: number) => string;
  render: (index: number) => ReactNode;
  /** True if the style sheet makes every row as high as the first at every width. */
  even?: boolean;
  /** Number of items on the whole page if it has several lists. */
  whole?: number;
  /** Class with the list's style: rows, or a grid with as many columns as fit. */
  className?: string;
  label?: string;
  /** Element that scrolls around the list, null before it is there; the page by default. */
  scroller?: HTMLElement | null;
}

/**
 * Render only the part of a list near the window, so that a thousand rows cost as much as thirty. A reading
 * of an invisible row renders nothing. The list is in the page flow and omitted rows are padding.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, estimate, keyOf, render, whole = count, even = false, className, label, scroller } = props;
  const list = useRef<HTMLUListElement>(null);
  const isCut = whole > WHOLE_UP_TO;
  const grid = useGrid(list, scroller, estimate);
  const { columns } = grid;
  const options = {
    count: Math.ceil(count / columns),
    estimateSize: () => grid.height,
    gap: grid.gap,
    scrollMargin: grid.top,
    rangeExtractor: (range: Range) => inSteps(range, columns === 1 ? OF_LIST : OF_GRID),
    indexAttribute: "data-row",
    // A hidden list has no heights.
    measureElement: (row: HTMLElement) => row.offsetHeight || grid.height,
    useFlushSync: false,
    // The list never scrolls by itself.
    scrollToFn: () => undefined,
  };
  const page = useWindowVirtualizer<HTMLLIElement>({ ...options, enabled: isCut && scroller === undefined });
  const box = useVirtualizer<HTMLElement, HTMLLIElement>({
    ...options,
    enabled: isCut && scroller !== undefined,
    getScrollElement: () => scroller ?? null,
  });
  const virtualizer = scroller === undefined ? page : box;
  // The browser keeps the scroll position when heights change: the rows are in the flow.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another grid has other heights
  useLayoutEffect(() => virtualizer.measure(), [grid.columns, grid.height, grid.gap]);
  const rows = virtualizer.getVirtualItems();
  const [first] = rows;
  const last = rows.at(-1);
  const from = isCut ? (first?.index ?? 0) * columns : 0;
  const to = isCut ? Math.min(count, ((last?.index ?? -1) + 1) * columns) : count;
  const { measureElement } = virtualizer;
  const items = useMemo(
    () =>
      Array.from({ length: Math.max(0, to - from) }, (_, place) => {
        const index = from + place;
        const isMeasured = isCut && !even && index % columns === 0;
        return (
          <li
            key={keyOf(index)}
            data-index={index}
            data-row={Math.floor(index / columns)}
            ref={isMeasured ? measureElement : undefined}
            {...(isCut ? { "aria-setsize": count, "aria-posinset": index + 1 } : {})}
          >
            {render(index)}
          </li>
        );
      }),
    [from, to, columns, count, isCut, even, keyOf, render, measureElement],
  );
  const padding = isCut && {
    paddingBlockStart: first ? first.start - grid.top : 0,
    paddingBlockEnd: last ? virtualizer.getTotalSize() - (last.end - grid.top) : 0,
  };
  return (
    <ul ref={list} className={className} aria-label={label} style={padding || undefined}>
      {items}
    </ul>
  );
}
