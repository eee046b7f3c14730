import { Button, chakra, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { useServerTime } from "../../live/hooks.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { useIsUnanswered } from "./unanswered.ts";

const NOTE = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  rowGap: "2",
  columnGap: "3",
  py: "2.5",
  px: "4",
  borderWidth: "1px",
  borderStyle: "dashed",
  borderColor: "border.strong",
  rounded: "card",
} as const;

interface RememberedNoteProps {
  readonly entry: OutboxEntry;
  readonly onTakeBack: () => void;
}

/** Show a stored command without an answer, with a button that takes it back; after a refusal, its reason. */
export function RememberedNote({ entry, onTakeBack }: RememberedNoteProps) {
  const { t } = useTranslation("common");
  const isUnanswered = useIsUnanswered(entry);
  const what = useCommandTexts(entry);
  const seconds = useServerTime(() => Math.max(0, Math.floor((Date.now() - entry.at) / 1_000)));
  return (
    <chakra.div css={NOTE} data-remembered="" data-testid="remembered-command">
      <Text flex="1 1 14rem" role="status">
        {isUnanswered ? t("outbox.remembered", { what }) : t("outbox.sending", { what })}
      </Text>
      {!isUnanswered && <b>{t("duration.seconds", { count: seconds })}</b>}
      {isUnanswered && (
        <Button size="sm" variant="outline" onClick={onTakeBack}>
          {t("outbox.takeBack")}
        </Button>
      )}
    </chakra.div>
  );
}

/** Return the command as a noun: "닫기", "모두 닫기", "자동 끄기". */
export function useCommandTexts(entry: OutboxEntry): string {
  const { t } = useTranslation(["common", "alarms"]);
  switch (entry.kind) {
    case "open":
      return t("command.target.open");
    case "close":
      return t("command.target.close");
    case "fleet-close":
      return t("command.target.close");
    case "close-all":
      return t("outbox.closeAll");
    case "mode-off":
      return t("outbox.modeOff", { mode: t(`mode.${entry.mode}`) });
    case "close-in":
      return t("alarms:closeIn", { count: entry.minutes });
  }
}
