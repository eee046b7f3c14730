import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { shownReading } from "./reading.ts";
import "./reading-value.css";

export interface ReadingValueProps {
  /** In API units; null or undefined is missing. */
  value: number | null | undefined;
  field: FieldSpec;
  /** Cards show temperatures as whole numbers; default `log`. */
  where?: "card" | "log";
  /** Null for a device without any reading. */
  quality: DrawnQuality | null;
  size?: "body" | "title" | "reading";
}

/**
 * Show a number with its unit. Plain spans and `data-` attributes: a value that changes every second adds no
 * style rule. A live component may write `.reading-value__number`'s text and `data-quality` directly.
 */
export function ReadingValue({ value, field, where = "log", quality, size = "reading" }: ReadingValueProps) {
  const { t } = useTranslation("common");
  const { text, unit } = shownReading(field, value, where, t);
  return (
    <span className="reading-value" data-quality={quality ?? "never"} data-size={size}>
      <span className="reading-value__number">{text}</span>
      {unit !== "" && <span className="reading-value__unit">{unit}</span>}
    </span>
  );
}
