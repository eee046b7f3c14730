import type { TFunction } from "i18next";
import type { Labels } from "../../../i18n/labels.ts";
import { areCalledAlike, type BoardCard, type BoardLine } from "./board-cards.ts";

/** Return the label of a line on its card: its measurement, or its device or valve in a comparison. */
export function lineLabel(
  line: BoardLine,
  { compares, lines }: Pick<BoardCard, "compares" | "lines">,
  labels: Pick<Labels, "field">,
  t: TFunction<"common">,
): string {
  if (!compares) return labels.field(line.field.name);
  const { source, device } = line;
  if (source.kind === "sensor") return device;
  const channel = t("valve.channel", { number: source.number });
  return areCalledAlike(lines) ? channel : `${device} ${channel}`;
}

/** Return the title of a card: its device, with the measurement if it has only one, or its measurement. */
export function cardTitle({ ofDevice, lines, part }: BoardCard, labels: Pick<Labels, "field">): string {
  const [first, second] = lines;
  if (!first) return "";
  const field = labels.field(first.field.name);
  if (ofDevice) return second ? first.device : `${first.device} · ${field}`;
  return part === null ? field : `${field} ${part}`;
}
