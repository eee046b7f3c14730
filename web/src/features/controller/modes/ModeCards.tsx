import { Box, chakra, Text } from "@chakra-ui/react";
import type { Modes } from "@mulkko/shared/entities/modes";
import { modesOn } from "@mulkko/shared/entities/modes";
import { ChevronDownIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Mode } from "../../../api/modes.ts";
import { Card } from "../../../components/card.tsx";
import { LeaveGuard } from "../../../domain/form/leave-guard.tsx";
import { useUnsavedForms } from "../../../domain/valve/unsaved-forms.ts";
import type { UnitChannel, ValveUnit } from "../../../domain/valve/valve-units.ts";
import { useLabels } from "../../../i18n/labels.ts";
import { ModeForm, type ModeFormProps } from "./ModeForm.tsx";
import { MODES } from "./mode-model.ts";

interface ModeCardsProps {
  unit: ValveUnit;
  channel: UnitChannel;
  closeValve: () => void;
}

/**
 * The three watering modes of a channel. One section is open at a time, initially the active mode. A closed
 * section keeps what was typed.
 */
export function ModeCards({ unit, channel, closeValve }: ModeCardsProps) {
  const { t } = useTranslation(["controller", "common"]);
  const { modes } = channel.value;
  const active = modes?.active ?? "none";
  const on = modesOn(modes);
  const [open, setOpen] = useState<Mode | null>(active === "none" ? null : active);
  const { unsaved, onUnsaved } = useUnsavedForms();
  const { unsaved: unsure, onUnsaved: onUnsure } = useUnsavedForms();
  return (
    <Card title={t("modes")} flush>
      <LeaveGuard when={unsaved.size > 0} />
      {on === null && (
        <chakra.p py="3" px="4" borderBottomWidth="1px">
          {t("mode.unknown")}
        </chakra.p>
      )}
      {on !== null && on.length > 1 && (
        <chakra.p py="3" px="4" borderBottomWidth="1px" role="status">
          {t("mode.several", { what: on.map((mode) => t(`common:mode.${mode}`)).join(", ") })}
        </chakra.p>
      )}
      <chakra.ul aria-label={t("modes")}>
        {MODES.map((mode) => (
          <Section
            key={mode}
            open={open === mode}
            onToggle={() => setOpen(open === mode ? null : mode)}
            unsaved={unsaved.has(mode)}
            unsure={unsure.has(mode)}
            {...{ unit, channel, mode, closeValve, onUnsaved, onUnsure }}
          />
        ))}
      </chakra.ul>
    </Card>
  );
}

const MODE = {
  "&:not(:first-of-type)": { borderTopWidth: "1px" },
  "& > button": {
    display: "flex",
    alignItems: "center",
    gap: "3",
    w: "full",
    minH: "14",
    py: "2",
    px: "card",
    color: "fg",
    textAlign: "start",
    cursor: "pointer",
    _hover: { bg: "bg.sunk" },
    _focusVisible: { outlineOffset: "-2px" },
    "& > i": {
      flex: "none",
      boxSize: "0.9rem",
      borderWidth: "2px",
      borderColor: "border.strong",
      rounded: "full",
    },
    "& > b": {
      display: "flex",
      flex: "none",
      flexWrap: "wrap",
      alignItems: "center",
      rowGap: "0.5",
      columnGap: "2",
      maxW: "60%",
      fontWeight: "inherit",
    },
    "& > svg": {
      flex: "none",
      color: "fg.subtle",
      transition: "rotate 120ms",
      _motionReduce: { transition: "none" },
    },
  },
  "&:last-of-type:not([data-open]) > button": { roundedBottom: "card" },
  "&[data-active] > button > i": { borderWidth: "5px", borderColor: "fg" },
  "&:is([data-active], [data-open]) > button > b": { fontWeight: "650" },
  "&[data-open] > button > svg": { rotate: "180deg" },
};

interface SectionProps extends ModeFormProps {
  open: boolean;
  unsaved: boolean;
  /** A change of this mode has no answer: its state is not known (CMD-19). */
  unsure: boolean;
  onToggle: () => void;
}

function Section({ open, unsaved, unsure, onToggle, ...parts }: SectionProps) {
  const { t } = useTranslation(["controller", "common"]);
  const { mode, channel } = parts;
  const { modes } = channel.value;
  const setting = useModeTexts(mode, modes);
  const body = useId();
  const active = modesOn(modes)?.includes(mode) ?? false;
  const lack = modes?.active === mode ? (modes.incomplete ?? null) : null;
  return (
    <chakra.li css={MODE} data-active={active || undefined} data-open={open || undefined}>
      <button
        type="button"
        data-testid="mode-head"
        aria-expanded={open}
        aria-controls={body}
        onClick={onToggle}
      >
        <i aria-hidden />
        <b>
          {t(`common:mode.${mode}`)}
          {unsure && <ModeMark incomplete>{t("mode.notConfirmed")}</ModeMark>}
          {active && !unsure && (
            <ModeMark incomplete={lack !== null}>
              {lack === null ? t("inCharge") : t(`common:lacks.${lack}`)}
            </ModeMark>
          )}
          {!active && !unsure && modes?.[mode] && (
            <Text as="span" color="fg.muted" fontSize="caption">
              {t("mode.isOff")}
            </Text>
          )}
          {unsaved && !open && <ModeMark>{t("mode.unsaved")}</ModeMark>}
        </b>
        <Text as="span" flex="1" minW="0" color="fg.muted" fontSize="label" textAlign="end">
          {setting ?? (modes === null ? "--" : t("notSet"))}
        </Text>
        <ChevronDownIcon />
      </button>
      <Box id={body} pt="1" px="card" pb="card" data-testid="mode-body" hidden={!open}>
        <ModeForm {...parts} />
      </Box>
    </chakra.li>
  );
}

/** A word beside a mode's name. An incomplete mode has a dashed one. */
function ModeMark({ incomplete = false, children }: { incomplete?: boolean; children: ReactNode }) {
  return (
    <Text
      as="span"
      py="0.05rem"
      px="0.4rem"
      borderWidth="1px"
      borderStyle={incomplete ? "dashed" : undefined}
      borderColor="border.strong"
      rounded="1rem"
      color="fg.muted"
      fontSize="0.6875rem"
      fontWeight="semibold"
    >
      {children}
    </Text>
  );
}

/** Describe a mode's setting in one line, as the channel reports it; null without one. */
function useModeTexts(mode: Mode, modes: Modes | null): string | null {
  const { t } = useTranslation("controller");
  const { duration } = useLabels();
  const minutes = (count: number | null) => (count === null ? "--" : duration(count * 60_000));
  switch (mode) {
    case "automatic": {
      const set = modes?.automatic;
      return set
        ? `${set.lowerBound ?? ""}–${set.upperBound ?? ""} % · ${minutes(set.wateringDuration)}`
        : null;
    }
    case "reservation": {
      const set = modes?.reservation;
      return set
        ? [set.onTime ?? "--", minutes(set.wateringDuration), t(set.repeat ? "daily" : "once")].join(" · ")
        : null;
    }
    case "period": {
      const set = modes?.period;
      if (!set) return null;
      const every = t("every", { time: minutes(set.wateringInterval) });
      return [every, minutes(set.wateringDuration), ...(set.repeat ? [] : [t("once")])].join(" · ");
    }
  }
}
