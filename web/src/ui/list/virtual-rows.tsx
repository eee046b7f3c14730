import { type ReactNode, useRef } from "react";
import { useRowSpan } from "./use-row-span.ts";

/** A page with up to so many things is drawn whole: it can be printed, and searched by the browser. */
export const WHOLE_UP_TO = 60;

export interface VirtualRowsProps {
  count: number;
  /** CSS px of a row while none has been seen; the real heights are measured. */
  estimate: number;
  keyOf: (index: number) => string;
  render: (index: number) => ReactNode;
  /** Every row is as high as the first, at every width: its style sheet says so. */
  even?: boolean;
  /** Things of the whole page, where several lists stand under one another. */
  whole?: number;
  /** Its style says how it looks: rows, or a grid with as many columns as there is room for. */
  className?: string;
  label?: string;
}

/**
 * A list of which only what is near the window stands in the page, so that a thousand rows cost what thirty do: a
 * reading of a row that nobody sees draws nothing. The page scrolls, or a box around the list, not the list.
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
