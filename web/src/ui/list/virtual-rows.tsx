import { type ReactNode, useRef } from "react";
import { useRowSpan } from "./use-row-span.ts";

/** Maximum number of items rendered whole: such a page can be printed and searched by the browser. */
export const WHOLE_UP_TO = 60;

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
}

/**
 * Render only the part of a list near the window, so that a thousand rows cost as much as thirty. A reading
 * of an invisible row renders nothing. The page or a container scrolls, not the list.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, estimate, keyOf, render, whole = count, even = false, className, label } = props;
  const list = useRef<HTMLUListElement>(null);
  const cut = whole > WHOLE_UP_TO;
  const span = useRowSpan(list, { count, estimate, cut, even });
  const from = cut ? Math.min(count, span.first * span.columns) : 0;
  const to = cut ? Math.min(count, span.end * span.columns) : count;
  const indexes = Array.from({ length: to - from }, (_, place) => from + place);
  return (
    <ul
      ref={list}
      className={className}
      aria-label={label}
      style={cut ? { paddingBlockStart: span.before, paddingBlockEnd: span.after } : undefined}
    >
      {indexes.map((index) => (
        <li
          key={keyOf(index)}
          data-index={index}
          {...(cut ? { "aria-setsize": count, "aria-posinset": index + 1 } : {})}
        >
          {render(index)}
        </li>
      ))}
    </ul>
  );
}
