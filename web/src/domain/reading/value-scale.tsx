import "./range-band.css";
import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { ReadingValue } from "./reading-value.tsx";

/** Mark of a value on the track, `at` percent of it. In SVG a move needs no new style, which would cost more. */
export function Needle({ at }: { at: number }) {
  return <line className="range-band__needle" x1={`${at}%`} x2={`${at}%`} y1="-33%" y2="133%" />;
}

interface ValueScaleProps {
  /** In API units. */
  value: number | null;
  field: FieldSpec;
  /** True in rows: low, without the numbers of its ends. */
  small?: boolean;
}

/**
 * Analog indicator of a value on the whole range of its field, where no desired range is known. Its number
 * is beside it.
 */
export function ValueScale({ value, field, small = false }: ValueScaleProps) {
  const [least, most] = field.range;
  return (
    <span className="range-band" data-testid="value-scale" data-small={small || undefined} aria-hidden>
      <svg className="range-band__track" aria-hidden>
        {value !== null && <Needle at={((value - least) / (most - least)) * 100} />}
      </svg>
      {!small && (
        <span className="range-band__ends">
          <span style={{ insetInlineStart: 0, transform: "none" }}>{least}</span>
          <span style={{ insetInlineStart: "100%", transform: "translateX(-100%)" }}>{most}</span>
        </span>
      )}
    </span>
  );
}

/** A moisture in a row, %, with its place between dry and wet below it. */
export function Moisture({ value, quality }: { value: number | null; quality: DrawnQuality | null }) {
  return (
    <span className="moisture">
      <ReadingValue value={value} field={FIELDS.moisture} quality={quality} size="body" />
      <ValueScale value={value} field={FIELDS.moisture} small />
    </span>
  );
}
