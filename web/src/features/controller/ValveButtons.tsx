import { Box, Button, Stack, Text } from "@chakra-ui/react";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../../api/hooks.ts";
import { ChoiceSegments } from "../../components/choice.tsx";
import { DropIcon } from "../../components/icons.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { ConfirmSlide } from "../../domain/valve/confirm-slide.tsx";
import { RUN_TIME_PRESETS, RunTimeDialog } from "../../domain/valve/run-time-dialog.tsx";
import { useSettings } from "../../domain/valve/settings.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import type { ValveView } from "../../domain/valve/valve-view.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useDrawnQuality, useIsLive, useLink, useServerNow } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { barControls, openingBlock, openingWarning } from "./panel-model.ts";
import type { SentCommand } from "./use-valve-command.ts";

interface ValveButtonsProps {
  unit: ValveUnit;
  channel: UnitChannel;
  view: ValveView;
  sent: SentCommand;
  onOpen: (minutes: number) => void;
  onClose: () => void;
}

/** Return the target of the pending command; null without one. */
function pendingTargetOf({ command }: UnitChannel["value"], sent: SentCommand): ValveTarget | null {
  if (command?.state === "requested" || command?.state === "accepted") return command.target;
  return sent.state === "sending" ? sent.target : null;
}

/** Run times beside each other, in more lines where letters are large. */
const RUN_TIMES = {
  '& [role="radiogroup"]': { flexWrap: "wrap", w: "full", minW: "0" },
  '& [role="radiogroup"] > label': {
    flex: "1 0 2.6rem",
    justifyContent: "center",
    minW: "0",
    px: "0.5",
    fontSize: "label",
    whiteSpace: "nowrap",
  },
} as const;

/**
 * Controls of a valve. Off takes one tap, the safe direction. On takes a slide on a phone and a dialog
 * elsewhere, and always has an end. On a small screen what can be done now stays in a bar at its bottom
 * (UI-2, `panel.css`); the other control is in its place in the page.
 */
export function ValveButtons({ unit, channel, view, sent, onOpen, onClose }: ValveButtonsProps) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const now = useServerNow();
  const phone = useSurface() === "phone";
  const readOnly = useReadOnly();
  const live = useIsLive();
  const storeDown = useLink((link) => link.relay?.store === "down");
  const quality = useDrawnQuality(unit);
  const { runMinutes, capMinutes } = useSettings();
  const [asking, setAsking] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  // Limit of an opening of this controller (RUN-1). A cap that was lowered meanwhile limits an earlier selection.
  const maxMinutes = capMinutes(unit.id);
  const minutes = Math.min(chosen ?? runMinutes(channel.id, unit.id), maxMinutes);
  const valve = { name: channel.name, number: channel.value.number };
  const pendingTarget = pendingTargetOf(channel.value, sent);
  const facts = { live, storeDown, quality, link: unit.link };
  const notOpening = readOnly ? "read-only" : openingBlock(facts);
  // Closing is accepted in every state of the controller (CMD-3) and of the line (CMD-8).
  const notClosing = readOnly ? "read-only" : null;
  const warning = openingWarning(quality);
  const isOpen = view.kind === "open";
  const isClosed = view.kind === "closed" && pendingTarget === null;
  const opening = pendingTarget === 1;
  const openBlock = notOpening ? t(`why.${notOpening}`) : opening ? t("common:valve.opening") : null;
  const closeBlock = notClosing ? t(`why.${notClosing}`) : null;
  const ask = () => setAsking(true);

  const runTimes = (
    <Box css={RUN_TIMES}>
      <ChoiceSegments
        label={t("common:runTime.minutes")}
        value={`${minutes}`}
        choices={[...new Set([...RUN_TIME_PRESETS.filter((each) => each <= maxMinutes), minutes])]
          .sort((a, b) => a - b)
          .map((each) => ({ value: `${each}`, label: labels.duration(each * 60_000) }))}
        onChoose={(value) => setChosen(Number(value))}
      />
    </Box>
  );
  const opener = (
    <div key="open" className="valve-controls__open">
      {phone ? (
        <ConfirmSlide
          about={<ThingTitle {...valve} />}
          label={t(isOpen ? "slideAgain" : "slide", { count: minutes })}
          // The user must read a warning first; the slide then only opens the dialog.
          onConfirm={() => (warning ? ask() : onOpen(minutes))}
          onAsk={ask}
          disabledReason={openBlock}
        />
      ) : (
        <Button
          size="lg"
          width="full"
          variant={isOpen ? "outline" : "solid"}
          disabled={openBlock !== null}
          onClick={ask}
        >
          <DropIcon />
          {t(isOpen ? "again" : "on")}
        </Button>
      )}
    </div>
  );
  const closer = (
    <div key="close" className="valve-controls__close">
      <Button
        size="lg"
        width="full"
        variant={isClosed ? "outline" : "solid"}
        disabled={closeBlock !== null}
        onClick={onClose}
      >
        {pendingTarget === 2 ? t("offAgain") : t("off")}
      </Button>
    </div>
  );
  const notes = [
    phone ? closeBlock : !opening && openBlock,
    warning && notOpening === null && t(`warning.${warning}`),
  ];
  return (
    <Stack gap="3" data-testid="valve-buttons">
      {phone && runTimes}
      <div
        className="valve-controls"
        data-bar={barControls(view, pendingTarget)}
        data-testid="valve-controls"
      >
        {phone ? [opener, closer] : [closer, opener]}
      </div>
      {notes.map(
        (note) =>
          note && (
            <Text key={note} color="fg.muted">
              {note}
            </Text>
          ),
      )}
      <RunTimeDialog
        open={asking}
        name={labels.thing(valve)}
        defaultMinutes={minutes}
        maxMinutes={maxMinutes}
        untilOf={(run) => texts.time(now() + run * 60_000)}
        warning={warning && t(`warning.${warning}`)}
        onClose={() => setAsking(false)}
        onConfirm={(run) => {
          setAsking(false);
          setChosen(run);
          onOpen(run);
        }}
      />
    </Stack>
  );
}
