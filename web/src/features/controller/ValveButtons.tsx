import { Box, Button, Grid, Text } from "@chakra-ui/react";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceSegments } from "../../components/choice.tsx";
import { DropIcon } from "../../components/icons.tsx";
import { ConfirmSlide } from "../../domain/valve/confirm-slide.tsx";
import { RunTimeDialog } from "../../domain/valve/run-time-dialog.tsx";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import type { ValveView } from "../../domain/valve/valve-view.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useSurface } from "../../theme/use-surface.ts";
import type { Block, Warning } from "./panel-model.ts";

/** Minutes offered above the slide control on a phone. */
const SLIDE_MINUTES = [1, 5, 10, 15, 30] as const;

/** On a phone "close now" keeps its place above the menu, whatever the page shows; `panel.css` leaves it room. */
const CLOSE_BAR = {
  "[data-surface=phone] &": {
    position: "fixed",
    insetInline: "0",
    bottom: "calc(4rem + 1px + env(safe-area-inset-bottom))",
    zIndex: "docked",
    px: "page",
    py: "2",
    borderTopWidth: "1px",
    bg: "bg.panel",
  },
} as const;

interface ValveButtonsProps {
  /** The valve's name and number. */
  valve: { readonly name: string; readonly number: number };
  view: ValveView;
  /** Target of the pending command; null without one. */
  pendingTarget: ValveTarget | null;
  openingBlock: Block | null;
  closingBlock: Block | null;
  warning: Warning | null;
  /** Selected run time, or the channel's own. */
  minutes: number;
  /** Limit of an opening of this controller (RUN-1). */
  maxMinutes: number;
  onMinutes: (minutes: number) => void;
  untilOf: (minutes: number) => string;
  onOpen: (minutes: number) => void;
  onClose: () => void;
}

/**
 * Controls of a valve. Off takes one tap, the safe direction. On takes a slide on a phone and a dialog
 * elsewhere, and always has an end.
 */
export function ValveButtons(props: ValveButtonsProps) {
  const { valve, view, pendingTarget, openingBlock, closingBlock, warning, maxMinutes, onOpen } = props;
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const phone = useSurface() === "phone";
  const [asking, setAsking] = useState(false);
  // A cap that was lowered meanwhile limits an earlier selection.
  const minutes = Math.min(props.minutes, maxMinutes);
  const isOpen = view.kind === "open";
  const isClosed = view.kind === "closed" && pendingTarget === null;
  const opening = pendingTarget === 1;
  const openBlock = openingBlock ? t(`why.${openingBlock}`) : opening ? t("common:valve.opening") : null;
  const closeBlock = closingBlock ? t(`why.${closingBlock}`) : null;
  const ask = () => setAsking(true);

  const slide = (
    <Grid
      templateColumns="minmax(0, 1fr)"
      gap="3"
      css={{
        '& [role="radiogroup"]': { flexWrap: "wrap", w: "full", minW: "0" },
        '& [role="radiogroup"] > label': {
          flex: "1 0 2.6rem",
          justifyContent: "center",
          minW: "0",
          px: "0.5",
          fontSize: "label",
          whiteSpace: "nowrap",
        },
      }}
    >
      <ChoiceSegments
        label={t("common:runTime.minutes")}
        value={`${minutes}`}
        choices={[...new Set([...SLIDE_MINUTES.filter((each) => each <= maxMinutes), minutes])]
          .sort((a, b) => a - b)
          .map((each) => ({ value: `${each}`, label: labels.duration(each * 60_000) }))}
        onChoose={(value) => props.onMinutes(Number(value))}
      />
      <ConfirmSlide
        about={<ThingTitle {...valve} />}
        label={t(isOpen ? "slideAgain" : "slide", { count: minutes })}
        // The user must read a warning first; the slide then only opens the dialog.
        onConfirm={() => (warning ? ask() : onOpen(minutes))}
        onAsk={ask}
        disabledReason={openBlock}
      />
    </Grid>
  );
  const button = (
    <Button size="lg" variant={isOpen ? "outline" : "solid"} disabled={openBlock !== null} onClick={ask}>
      <DropIcon />
      {t(isOpen ? "again" : "on")}
    </Button>
  );
  const notes = [
    phone ? closeBlock : !opening && openBlock,
    warning && openingBlock === null && t(`warning.${warning}`),
  ];
  return (
    <Grid templateColumns={{ base: "minmax(0, 1fr)", md: "1fr 1fr" }} gap="3" data-testid="valve-buttons">
      <Box css={CLOSE_BAR}>
        <Button
          className="panel__close"
          size="lg"
          width="full"
          variant={isClosed ? "outline" : "solid"}
          disabled={closeBlock !== null}
          onClick={props.onClose}
        >
          {pendingTarget === 2 ? t("offAgain") : t("off")}
        </Button>
      </Box>
      {phone ? slide : button}
      {notes.map(
        (note) =>
          note && (
            <Text key={note} gridColumn="1 / -1" color="fg.muted">
              {note}
            </Text>
          ),
      )}
      <RunTimeDialog
        open={asking}
        name={labels.thing(valve)}
        defaultMinutes={minutes}
        maxMinutes={maxMinutes}
        untilOf={props.untilOf}
        warning={warning && t(`warning.${warning}`)}
        onClose={() => setAsking(false)}
        onConfirm={(chosen) => {
          setAsking(false);
          props.onMinutes(chosen);
          onOpen(chosen);
        }}
      />
    </Grid>
  );
}
