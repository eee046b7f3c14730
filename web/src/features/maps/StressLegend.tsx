import { Box, chakra, Text } from "@chakra-ui/react";
import { STRESS_COLOURS, stressLevel } from "@mulkko/shared/rules/stress";
import { useTranslation } from "react-i18next";
import { STRESS_LEVELS } from "../../domain/map/marker.tsx";
import { useLabels } from "../../i18n/labels.ts";

/** Indexes that devices report (spec 4). */
const INDEXES = { from: 64, to: 100 } as const;

/** The levels, mildest first, each with the first and last index that the rule gives it; null for no data. */
export function legendLines() {
  const indexes = Array.from({ length: INDEXES.to - INDEXES.from + 1 }, (_, step) => INDEXES.from + step);
  return STRESS_LEVELS.map((level) => {
    const mine = indexes.filter((index) => stressLevel(index) === level);
    const [first, last] = [mine[0], mine.at(-1)];
    return { level, range: first === undefined || last === undefined ? null : [first, last] };
  });
}

/** Explain the colours of crop stress sensors; `open` shows it unfolded at first. */
export function StressLegend({ open }: { open: boolean }) {
  const { t } = useTranslation("maps");
  const labels = useLabels();
  return (
    <chakra.section
      position="absolute"
      right="10px"
      bottom="10px"
      zIndex={1}
      py={{ base: "1.5", md: "2.5" }}
      px={{ base: "2", md: "3" }}
      layerStyle="panel"
      fontSize="caption"
      inset={{ mdDown: "10px auto auto 10px" }}
      maxW={{ mdDown: "calc(100% - 80px)" }}
      css={{
        "& summary": {
          minH: "var(--finger)",
          fontWeight: "semibold",
          lineHeight: "max(1.5em, var(--finger))",
          cursor: "pointer",
        },
        "& details[open] summary": { mb: "1.5" },
        "& summary::marker": { color: "fg.muted" },
        "& ul": { display: "grid", gap: "0.2rem" },
        "& li": { display: "flex", alignItems: "center", gap: "2" },
      }}
      aria-label={t("legend")}
    >
      <details open={open}>
        <summary>{t("legend")}</summary>
        <ul>
          {legendLines().map(({ level, range }) => (
            <li key={level}>
              <Box
                as="span"
                flex="none"
                boxSize="3"
                rounded="full"
                // Black on black would be invisible.
                outline={level === "danger" ? { _dark: "1.5px solid #fff" } : undefined}
                style={{ background: STRESS_COLOURS[level] }}
              />
              {labels.stress(level)}
              {range && (
                <Text as="span" ms="auto" ps="3" color="fg.muted" display={{ mdDown: "none" }}>
                  {range[0]}–{range[1]}
                </Text>
              )}
            </li>
          ))}
        </ul>
      </details>
    </chakra.section>
  );
}
