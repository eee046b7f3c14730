import type { Modes } from "@mulkko/shared/entities/modes";
import type { TFunction } from "i18next";
import { modesOn } from "../../api/modes.ts";

/** Return the translated modes of a channel; `--` if they are unknown. */
export function modeNames(t: TFunction<"common">, modes: Modes | null): string {
  const on = modesOn(modes);
  if (on === null) return "--";
  return on.length === 0 ? t("mode.none") : on.map((mode) => t(`mode.${mode}`)).join(" + ");
}
