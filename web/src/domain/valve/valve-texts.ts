import type { Modes } from "@mulkko/shared/entities/modes";
import { modesOn } from "@mulkko/shared/entities/modes";
import type { TFunction } from "i18next";
import type { Position, ValveView } from "./valve-view.ts";

const positionWord = (t: TFunction<"common">, position: Position | null): string =>
  position === null ? t("valve.unknown") : t(`valve.${position}`);

/**
 * Return a valve's state as text, shown beside its symbol. For a last report it gives the reason; its
 * position and time are a separate text.
 *
 * @param reportedAt time of the report as text; follows a mismatch
 */
export function valveTexts(
  t: TFunction<"common">,
  view: ValveView,
  reportedAt: string | null = null,
): string {
  switch (view.kind) {
    case "last":
      return t(`quality.${view.why}`);
    case "mismatch": {
      const texts = t("valve.mismatch", {
        commanded: t(view.commanded === "open" ? "command.target.open" : "command.target.close"),
        actual: positionWord(t, view.actual),
      });
      return reportedAt === null ? texts : `${texts} (${reportedAt})`;
    }
    case "opening":
    case "closing":
      return view.unanswered
        ? t("valve.notConfirmed", { state: t(`valve.${view.kind}`) })
        : t(`valve.${view.kind}`);
    default:
      return t(`valve.${view.kind}`);
  }
}

/** Return the translated modes of a channel; `--` if they are unknown. */
export function modeNames(t: TFunction<"common">, modes: Modes | null): string {
  const on = modesOn(modes);
  if (on === null) return "--";
  return on.length === 0 ? t("mode.none") : on.map((mode) => t(`mode.${mode}`)).join(" + ");
}
