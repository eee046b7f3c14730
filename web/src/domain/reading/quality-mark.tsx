import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { CircleQuestionMarkIcon, ClockIcon, UnplugIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import "./quality-mark.css";

export interface QualityMarkProps {
  quality: DrawnQuality | null;
  /** Time since the last reading of the device, ms; null if there was none. */
  ageMs: number | null;
  /** True to show the quality as text, not only the age. */
  texts?: boolean;
  /** True where there is no room for words beside a name, as on a wall: the mark, and "3 h". */
  brief?: boolean;
}

/** Mark of each quality; a fresh value has none. */
export const QUALITY_ICONS = {
  fresh: null,
  late: ClockIcon,
  lost: UnplugIcon,
  offline: UnplugIcon,
  unknown: CircleQuestionMarkIcon,
} as const;

/** Ages from here on are in words beside a value that is not live, ms. */
const WORDS_FROM_MS = 60_000;

/**
 * Show a value's quality: the age while fresh, otherwise mark and age in words ("3 h ago"). Never by colour
 * alone.
 */
export function QualityMark({ quality, ageMs, texts = false, brief = false }: QualityMarkProps) {
  const { t } = useTranslation("common");
  const { age: longAge, shortAge } = useLabels();
  const state = quality ?? "never";
  const Icon = quality === null ? null : QUALITY_ICONS[quality];
  const isShort = (ms: number) => brief || quality === "fresh" || ms < WORDS_FROM_MS;
  const ageOf = (ms: number) => (isShort(ms) ? shortAge(ms) : longAge(ms));
  const age = quality === null || ageMs === null ? null : ageOf(ageMs);
  const word = t(`quality.${state}`);
  const spoken = texts || age === null || quality !== "fresh";
  // A short age alone would suggest a live value.
  const seen = texts || age === null || (quality === "lost" && !brief);
  return (
    <span className="quality-mark" data-quality={state}>
      {Icon && <Icon />}
      {spoken && <span className={seen ? undefined : "visually-hidden"}>{word}</span>}
      {age !== null && <span>{age}</span>}
    </span>
  );
}
