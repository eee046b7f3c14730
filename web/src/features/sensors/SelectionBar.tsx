import { Box, Button, Flex, Text } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { DayInput } from "../../components/date-field.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useServerTime } from "../../live/hooks.ts";
import type { ListedSensor } from "./model.ts";
import { chartAddress, MOST_COMPARED } from "./selection.ts";

interface SelectionBarProps {
  chosen: readonly ListedSensor[];
  onClear: () => void;
}

/** Show the selection, its last day and the link to its charts. */
export function SelectionBar({ chosen, onClear }: SelectionBarProps) {
  const { t } = useTranslation(["sensors", "common"]);
  const navigate = useNavigate();
  const texts = useTimeTexts();
  const today = useServerTime((now) => texts.isoDay(now));
  const [end, setEnd] = useState("");
  const show = () =>
    navigate(
      chartAddress(
        chosen.map(({ id }) => id),
        end === "" || end >= today ? null : end,
      ),
    );
  return (
    <section className="selection-bar" aria-label={t("select.label")}>
      <Box flex="1 1 9rem" minW="0" role="status">
        <strong>{t("select.count", { count: chosen.length })}</strong>
        {chosen.length >= MOST_COMPARED && (
          <Text textStyle="caption" color="fg.muted">
            {t("select.enough", { max: MOST_COMPARED })}
          </Text>
        )}
      </Box>
      <Flex as="label" align="center" wrap="wrap" gap="2" textStyle="label" color="fg.muted">
        <span>{t("select.end")}</span>
        <DayInput
          w="auto"
          color="fg"
          bg="bg.panel"
          value={end === "" ? today : end}
          max={today}
          onChange={setEnd}
        />
      </Flex>
      <Button size="sm" variant="outline" onClick={onClear}>
        {t("select.clear")}
      </Button>
      <Button size="sm" onClick={() => void show()}>
        {t("select.done")}
      </Button>
    </section>
  );
}
