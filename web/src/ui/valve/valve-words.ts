import type { TFunction } from "i18next";
import type { Position, ValveView } from "./valve-view.ts";

const positionWord = (t: TFunction<"common">, position: Position | null): string =>
  position === null ? t("valve.unknown") : t(`valve.${position}`);

/** A valve's state in words, as it stands beside its symbol. */
export function valveWords(t: TFunction<"common">, view: ValveView): string {
  if (view.kind !== "mismatch") return t(`valve.${view.kind}`);
  return t("valve.mismatch", {
    commanded: positionWord(t, view.commanded),
    actual: positionWord(t, view.actual),
  });
}
