import { Button, chakra, Text } from "@chakra-ui/react";
import { DownloadIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../../i18n/labels.ts";
import type { RangeChoice } from "../range/range.ts";
import type { ShownSource } from "../sources/shown-source.ts";
import { useExcel } from "./use-excel.ts";

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
    <chakra.span position="relative" display="inline-flex" flexWrap="wrap" alignItems="center" gap="2">
      <Button
        variant="outline"
        size="sm"
        bg="bg.panel"
        _hover={{ bg: "bg.sunk" }}
        onClick={reading ? cancel : start}
        disabled={sources.length === 0}
      >
        <DownloadIcon />
        {reading ? t("excel.reading", { percent: Math.floor(excel.share * 100) }) : t("excel.save")}
      </Button>
      {reading && (
        <chakra.progress
          position="absolute"
          inset="auto 0 0"
          w="full"
          h="3px"
          accentColor="var(--mk-colors-fg)"
          value={excel.share}
          max={1}
          aria-label={t("excel.save")}
        />
      )}
      {excel.state === "failed" && (
        <Text as="span" color="alarm.p1.fg" fontSize="label" role="alert">
          {excel.code === "too-many-rows"
            ? t("excel.tooMany")
            : t("common:sentences", { first: t("excel.failed"), second: labels.error(excel.code) })}
        </Text>
      )}
    </chakra.span>
  );
}
