import { formatReading, MISSING, type NumberFormat } from "@mulkko/shared/rules/format";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import "./reading-value.css";

export interface ReadingValueProps {
  /** In stored units; null or undefined is missing. */
  value: number | null | undefined;
  format: NumberFormat;
  unit: string;
  /** Null for a device without any reading. */
  quality: DrawnQuality | null;
  size?: "body" | "title" | "reading" | "hero";
}

/**
 * Show a number with its unit. Plain spans and `data-` attributes: a value that changes every second adds no
 * style rule. A live component may write `.reading-value__number`'s text and `data-quality` directly.
 */
export function ReadingValue({ value, format, unit, quality, size = "reading" }: ReadingValueProps) {
  const text = formatReading(value, format);
  return (
    <span className="reading-value" data-quality={quality ?? "never"} data-size={size}>
      <span className="reading-value__number">{text}</span>
      {unit !== "" && text !== MISSING && <span className="reading-value__unit">{unit}</span>}
    </span>
  );
}
