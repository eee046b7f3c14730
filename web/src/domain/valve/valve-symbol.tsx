import { useId } from "react";
import { type Position, type ValveView, viewMarks } from "./valve-view.ts";
import "./valve-symbol.css";

const BODY = "M7 24 32 38 57 24V52L32 38 7 52Z";
const CAP = "M21 9h22v7H21z";

const actualOf = (view: ValveView): Position | null => {
  if (view.kind === "open" || view.kind === "closed") return view.kind;
  return view.kind === "unknown" ? null : view.actual;
};

const commandedOf = (view: ValveView): Position | null => {
  if (view.kind === "opening") return "open";
  if (view.kind === "closing") return "closed";
  return view.kind === "mismatch" ? view.commanded : actualOf(view);
};

export interface ValveSymbolProps {
  view: ValveView;
  /** Letter of the active watering mode, in the user's language. */
  letter?: string | null;
  /** CSS px or any length. */
  size?: number | string;
}

/**
 * Valve symbol as in a process diagram: the body shows the reported position, the cap the commanded one.
 * Decorative for screen readers: the state is always beside it as text.
 */
export function ValveSymbol({ view, letter = null, size = 40 }: ValveSymbolProps) {
  const clip = useId();
  const actual = actualOf(view) ?? "unknown";
  const commanded = commandedOf(view) ?? "unknown";
  const moving = view.kind === "opening" || view.kind === "closing";
  return (
    <svg
      className="valve-symbol"
      {...viewMarks(view)}
      data-actual={actual}
      data-commanded={commanded}
      viewBox="0 0 64 64"
      width={size}
      height={size}
      aria-hidden
    >
      <clipPath id={clip}>
        <path d={BODY} />
      </clipPath>
      <path className="valve-symbol__stem" d="M32 37V16" />
      <path className="valve-symbol__cap" d={CAP} />
      {view.kind === "mismatch" && <path className="valve-symbol__alarm" d={BODY} />}
      <path className="valve-symbol__body" d={BODY} />
      {moving && (
        <g clipPath={`url(#${clip})`}>
          <path className="valve-symbol__half" d="M0 38h64v26H0z" />
        </g>
      )}
      {moving && (
        <path
          className="valve-symbol__chevrons"
          d={
            view.kind === "opening"
              ? "m12 60 5-4-5-4m9 8 5-4-5-4m9 8 5-4-5-4m9 8 5-4-5-4"
              : "m17 60-5-4 5-4m9 8-5-4 5-4m9 8-5-4 5-4m9 8-5-4 5-4"
          }
        />
      )}
      {actual === "open" && !moving && (
        <path
          className="valve-symbol__drop"
          d="M32 45.5c3.3 4 5.2 6.5 5.2 9.1a5.2 5.2 0 0 1-10.4 0c0-2.6 1.9-5.1 5.2-9.1z"
        />
      )}
      {actual === "unknown" && (
        <text
          className="valve-symbol__question"
          x="32"
          y={view.kind === "mismatch" ? 44 : 60}
          textAnchor="middle"
        >
          ?
        </text>
      )}
      {view.kind === "mismatch" && (
        <g className="valve-symbol__badge">
          <path d="M45 43h18v18H45z" />
          <text x="54" y="57" textAnchor="middle">
            1
          </text>
        </g>
      )}
      {letter && (
        <text className="valve-symbol__letter" x="58" y="16" textAnchor="middle">
          {letter}
        </text>
      )}
    </svg>
  );
}
