import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ClockIcon, QuestionIcon, UnplugIcon } from "../icon/icons.tsx";
import "./quality-mark.css";

export interface QualityMarkProps {
  quality: DrawnQuality | null;
  /** Since the device was last heard, ms; null if it never was. */
  ageMs: number | null;
  /** Says the quality in words beside the mark, not only its age. */
  words?: boolean;
}

const icons = {
  fresh: null,
  late: ClockIcon,
  lost: UnplugIcon,
  offline: UnplugIcon,
  unknown: QuestionIcon,
} as const;

/** How far a value can be believed: an age while fresh, mark and age in words otherwise. Never a colour. */
export function QualityMark({ quality, ageMs, words = false }: QualityMarkProps) {
  const { t } = useTranslation("common");
  const { shortAge } = useLabels();
  const state = quality ?? "never";
  const Icon = quality === null ? null : icons[quality];
  const age = quality === null || ageMs === null ? null : shortAge(ageMs);
  const word = t(`quality.${state}`);
  const spoken = words || age === null || quality !== "fresh";
  // A young age alone would look alive.
  const seen = words || age === null || quality === "lost";
  return (
    <span className="quality-mark" data-quality={state}>
      {Icon && <Icon />}
      {spoken && <span className={seen ? undefined : "visually-hidden"}>{word}</span>}
      {age !== null && <span className="quality-mark__age">{age}</span>}
    </span>
  );
}
