import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import "./range-band.css";

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
      <span className="range-band__track">
        {value !== null && (
          <span
            className="range-band__needle"
            style={{ insetInlineStart: `${((value - least) / (most - least)) * 100}%` }}
          />
        )}
      </span>
      {!small && (
        <span className="range-band__ends">
          <span style={{ insetInlineStart: 0, transform: "none" }}>{least}</span>
          <span style={{ insetInlineStart: "100%", transform: "translateX(-100%)" }}>{most}</span>
        </span>
      )}
    </span>
  );
}
