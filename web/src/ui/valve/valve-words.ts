import type { TFunction } from "i18next";
import type { Position, ValveView } from "./valve-view.ts";

const positionWord = (t: TFunction<"common">, position: Position | null): string =>
  position === null ? t("valve.unknown") : t(`valve.${position}`);

/**
 * A valve's state in words, as it stands beside its symbol. Of a last report they say why it is the last; its
 * position and time are a sentence of their own.
 *
 * @param reportedAt when the position was reported, in words; it follows a mismatch
 */
export function valveWords(
  t: TFunction<"common">,
  view: ValveView,
  reportedAt: string | null = null,
): string {
  switch (view.kind) {
    case "last":
      return t(`quality.${view.why}`);
    case "mismatch": {
      const words = t("valve.mismatch", {
        commanded: t(view.commanded === "open" ? "command.target.open" : "command.target.close"),
        actual: positionWord(t, view.actual),
      });
      return reportedAt === null ? words : `${words} (${reportedAt})`;
    }
    default:
      return t(`valve.${view.kind}`);
  }
}
