import { DownloadIcon } from "lucide-react";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { RangeChoice } from "../range/range.ts";
import type { ShownSource } from "../sources/shown-source.ts";
import { useExcel } from "./use-excel.ts";
import "../log-button.css";
import "./excel-button.css";

export interface ExcelButtonProps {
  sources: readonly ShownSource[];
  choice: RangeChoice;
}

/** Download all rows of the range as an Excel file, with progress and a cancel button while they load. */
export function ExcelButton({ sources, choice }: ExcelButtonProps) {
  const { t } = useTranslation(["log", "common"]);
  const labels = useLabels();
  const { excel, start, cancel } = useExcel(sources, choice);
  const reading = excel.state === "reading";
  return (
    <span className="excel">
      <button
        type="button"
        className="log-button"
        onClick={reading ? cancel : start}
        disabled={sources.length === 0}
      >
        <DownloadIcon size={18} />
        {reading ? t("excel.reading", { percent: Math.floor(excel.share * 100) }) : t("excel.save")}
      </button>
      {reading && (
        <progress className="excel__progress" value={excel.share} max={1} aria-label={t("excel.save")} />
      )}
      {excel.state === "failed" && (
        <span className="excel__failed" role="alert">
          {excel.code === "too-many-rows"
            ? t("excel.tooMany")
            : t("common:sentences", { first: t("excel.failed"), second: labels.error(excel.code) })}
        </span>
      )}
    </span>
  );
}
