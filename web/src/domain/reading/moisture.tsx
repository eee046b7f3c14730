import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { ReadingValue } from "./reading-value.tsx";
import { ValueScale } from "./value-scale.tsx";

/** A moisture in a row, %, with its place between dry and wet below it. */
export function Moisture({ value, quality }: { value: number | null; quality: DrawnQuality | null }) {
  return (
    <span className="moisture">
      <ReadingValue value={value} field={FIELDS.moisture} quality={quality} size="body" />
      <ValueScale value={value} field={FIELDS.moisture} small />
    </span>
  );
}
