import { Button, chakra, Text } from "@chakra-ui/react";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useTranslation } from "react-i18next";
import { useDrawnQuality, useServerTime } from "../../live/hooks.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { useOutboxEntries } from "./use-outbox.ts";
import { type ValveView, valveView } from "./valve-view.ts";

/** Time without an answer after which a command is drawn in place of the old state, ms (CMD-18). */
export const UNANSWERED_MS = 3_000;

/** Return true once an entry has had no answer for {@link UNANSWERED_MS}; follows the time. */
export function useIsUnanswered(entry: Pick<OutboxEntry, "at"> | null): boolean {
  // The machine's own clock on both sides: the difference needs no server.
  return useServerTime(() => entry !== null && Date.now() - entry.at >= UNANSWERED_MS);
}

/** Return what this browser has commanded of a valve without an answer for 3 s; null without such a command. */
function useUnansweredTarget(channel: Pick<ChannelValue, "controllerId" | "number">): ValveTarget | null {
  const newest = useOutboxEntries(
    (entries) => entries.findLast((entry) => entry.ended === undefined && isAbout(entry, channel)) ?? null,
  );
  const isUnanswered = useIsUnanswered(newest);
  if (newest === null || !isUnanswered) return null;
  return newest.kind === "open" ? 1 : 2;
}

function isAbout(
  entry: OutboxEntry,
  { controllerId, number }: Pick<ChannelValue, "controllerId" | "number">,
) {
  switch (entry.kind) {
    case "open":
    case "close":
      return `${entry.controllerId}` === `${controllerId}` && entry.number === number;
    case "close-all":
      return entry.farmId === null;
    case "mode-off":
      return false;
  }
}

/**
 * Return the drawn state of a channel, and follow it. A command of this browser without an answer is drawn as
 * being carried out, not confirmed: the reported state may be over (CMD-18).
 */
export function useValveView(channel: ChannelValue): ValveView {
  const quality = useDrawnQuality(channel);
  const unanswered = useUnansweredTarget(channel);
  const { onoff, command } = channel;
  const view = valveView({ onoff, command, quality });
  if (unanswered === null || command !== null) return view;
  const actual = onoff === 1 ? "open" : onoff === 2 ? "closed" : null;
  return { kind: unanswered === 1 ? "opening" : "closing", live: false, actual, unanswered: true };
}

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
    <chakra.div css={NOTE} data-testid="remembered-command">
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
  const { t } = useTranslation("common");
  switch (entry.kind) {
    case "open":
      return t("command.target.open");
    case "close":
      return t("command.target.close");
    case "close-all":
      return t("outbox.closeAll");
    case "mode-off":
      return t("outbox.modeOff", { mode: t(`mode.${entry.mode}`) });
  }
}
