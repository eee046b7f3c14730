import "./modes.css";
import { Box, chakra, Text } from "@chakra-ui/react";
import type { Modes } from "@mulkko/shared/entities/modes";
import { ChevronDownIcon } from "lucide-react";
import { type ReactNode, useCallback, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Mode, modesOn } from "../../api/modes.ts";
import { Card } from "../../components/card.tsx";
import { LeaveGuard } from "../../components/form/leave-guard.tsx";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import { useLabels } from "../../i18n/labels.ts";
import { ModeForm, type ModeFormProps } from "./ModeForm.tsx";
import { MODES } from "./mode-model.ts";
import { useChannelWaterings } from "./panel-model.ts";
import { useSavingKind } from "./use-mode-calls.ts";

export interface ModeCardsProps {
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
  const kind = useSavingKind(unit.form);
  const waterings = useChannelWaterings(channel.id);
  const running =
    channel.value.onoff === 1 ? (MODES.find((mode) => mode === waterings.running?.cause) ?? null) : null;
  const active = modes?.active ?? "none";
  const on = modesOn(modes);
  const [open, setOpen] = useState<Mode | null>(active === "none" ? null : active);
  const [changed, setChanged] = useState<ReadonlySet<Mode>>(new Set());
  const onChanged = useCallback((mode: Mode, isChanged: boolean) => {
    setChanged((now) => {
      if (now.has(mode) === isChanged) return now;
      return new Set(isChanged ? [...now, mode] : [...now].filter((each) => each !== mode));
    });
  }, []);
  return (
    <Card title={t("modes")} flush>
      <LeaveGuard when={changed.size > 0} />
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
            unsaved={changed.has(mode)}
            onChanged={onChanged}
            automaticEnd={waterings.automaticEnd}
            {...{ unit, channel, mode, modes, kind, running, closeValve }}
          />
        ))}
      </chakra.ul>
    </Card>
  );
}

interface SectionProps extends Omit<ModeFormProps, "onChanged"> {
  modes: Modes | null;
  open: boolean;
  unsaved: boolean;
  onToggle: () => void;
  onChanged: (mode: Mode, changed: boolean) => void;
}

function Section({ modes, open, unsaved, onToggle, onChanged, ...parts }: SectionProps) {
  const { t } = useTranslation(["controller", "common"]);
  const { mode } = parts;
  const describe = useModeWords();
  const body = useId();
  const active = modesOn(modes)?.includes(mode) ?? false;
  const lack = modes?.active === mode ? (modes.incomplete ?? null) : null;
  const send = useCallback((changed: boolean) => onChanged(mode, changed), [mode, onChanged]);
  return (
    <li className="mode" data-active={active || undefined} data-open={open || undefined}>
      <button
        type="button"
        className="mode__head"
        data-testid="mode-head"
        aria-expanded={open}
        aria-controls={body}
        onClick={onToggle}
      >
        <span className="mode__mark" aria-hidden />
        <span className="mode__name">
          {t(`common:mode.${mode}`)}
          {active && (
            <ModeMark incomplete={lack !== null}>
              {lack === null ? t("inCharge") : t(`common:lacks.${lack}`)}
            </ModeMark>
          )}
          {!active && modes?.[mode] && (
            <Text as="span" color="fg.muted" fontSize="caption">
              {t("mode.isOff")}
            </Text>
          )}
          {unsaved && !open && <ModeMark>{t("mode.unsaved")}</ModeMark>}
        </span>
        <Text as="span" flex="1" minW="0" color="fg.muted" fontSize="label" textAlign="end">
          {describe(mode, modes) ?? (modes === null ? "--" : t("notSet"))}
        </Text>
        <span className="mode__arrow">
          <ChevronDownIcon />
        </span>
      </button>
      <Box
        id={body}
        pt="1"
        px="card"
        pb="card"
        css={{ "&[hidden]": { display: "none" } }}
        data-testid="mode-body"
        hidden={!open}
      >
        <ModeForm {...parts} onChanged={send} />
      </Box>
    </li>
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

/**
 * Return a function that describes a mode's setting in one line, as the channel reports it; null without one.
 */
function useModeWords(): (mode: Mode, modes: Modes | null) => string | null {
  const { t } = useTranslation("controller");
  const { duration } = useLabels();
  return useCallback(
    (mode, modes) => {
      const minutes = (count: number) => duration(count * 60_000);
      switch (mode) {
        case "automatic": {
          const set = modes?.automatic;
          if (!set) return null;
          return [`${set.lowerBound ?? ""}–${set.upperBound ?? ""} %`, minutes(set.wateringDuration)].join(
            " · ",
          );
        }
        case "reservation": {
          const set = modes?.reservation;
          if (!set) return null;
          return [set.onTime ?? "--", minutes(set.wateringDuration), t(set.repeat ? "daily" : "once")].join(
            " · ",
          );
        }
        case "period": {
          const set = modes?.period;
          if (!set) return null;
          const every = set.wateringInterval === null ? "--" : minutes(set.wateringInterval);
          const times = set.repeat ? [] : [t("once")];
          return [t("every", { time: every }), minutes(set.wateringDuration), ...times].join(" · ");
        }
      }
    },
    [t, duration],
  );
}
