import { chakra, Text } from "@chakra-ui/react";
import { STRESS_COLOURS } from "@mulkko/shared/rules/stress";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import { legendLines } from "./stress-range.ts";

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
      borderWidth="1px"
      rounded="card"
      bg="bg.panel"
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
              <span
                className="map-legend__dot"
                data-level={level}
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
