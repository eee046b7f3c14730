import { Box, Stack, Text } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceSegments } from "../../components/choice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { AcknowledgeAll } from "../../domain/alarm/AcknowledgeAll.tsx";
import { AlarmLine } from "../../domain/alarm/AlarmLine.tsx";
import { usePresentAlarms } from "../../domain/alarm/use-present-alarms.ts";
import { useFirstSync, useKnowsPresent } from "../../live/hooks.ts";
import { NoAlarms, PastAlarms } from "./PastAlarms.tsx";
import "./alarm-board.css";

/** List all alarms: the present ones and, on a second tab, the past ones. */
export function AlarmBoard() {
  const { t } = useTranslation("alarms");
  const [leaf, setLeaf] = useState<"present" | "past">("present");
  return (
    <Stack gap="4" align="start" css={{ "& > *": { maxW: "full" } }} data-testid="alarm-board">
      <ChoiceSegments
        label={t("title")}
        value={leaf}
        choices={[
          { value: "present", label: t("present") },
          { value: "past", label: t("past.title") },
        ]}
        onChoose={setLeaf}
      />
      {leaf === "present" ? <PresentList /> : <PastAlarms />}
    </Stack>
  );
}

function PresentList() {
  const { t } = useTranslation("alarms");
  const lines = usePresentAlarms();
  const known = useKnowsPresent();
  const waiting = useFirstSync() === "waiting";
  if (lines.length === 0 && waiting) return <Skeleton height="8rem" />;
  if (lines.length === 0) {
    return (
      <NoAlarms>
        <Text color="fg" fontWeight="semibold">
          {t(known ? "none.title" : "unknown.title")}
        </Text>
        <p>{t(known ? "none.text" : "unknown.text")}</p>
      </NoAlarms>
    );
  }
  const alarms = lines.flatMap((line) => (line.kind === "group" ? line.alarms : [line.alarm]));
  return (
    <>
      {lines.some(({ kind }) => kind === "group") && (
        <Text color="fg.muted">{t("flood", { count: alarms.length })}</Text>
      )}
      {/* One alarm, or the group of a flood, has a button of its own. */}
      {lines.length > 1 && alarms.filter(({ ack }) => ack === null).length > 1 && (
        <AcknowledgeAll alarms={alarms} variant="outline" />
      )}
      <ul className="alarm-list">
        {lines.map((line) => (
          <li key={line.id}>
            <AlarmLine alarm={line} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Show the alarms in a drawer beside the page. */
export function AlarmDrawer() {
  return (
    <Box p="4">
      <AlarmBoard />
    </Box>
  );
}
