import { Flex, Grid, Text } from "@chakra-ui/react";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { type DrawnQuality, fieldQuality } from "@mulkko/shared/rules/quality";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../../api/hooks.ts";
import { Card } from "../../components/card.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { valveNamePath } from "../../domain/farm/device-paths.ts";
import { bandOf, RangeBand } from "../../domain/reading/range-band.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { clockText } from "../../domain/time/time-texts.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useValveView } from "../../domain/valve/unanswered.ts";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { valveTexts } from "../../domain/valve/valve-texts.ts";
import { nameInUnit } from "../../domain/valve/valve-title.ts";
import type { UnitChannel, ValveUnit } from "../../domain/valve/valve-units.ts";
import { viewMarks } from "../../domain/valve/valve-view.ts";
import { useTimeLeft } from "../../domain/watering/use-when.ts";
import { spanTexts, useWateringTexts } from "../../domain/watering/watering-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useDrawnQuality, useLive, useServerTime, useShownQuality } from "../../live/hooks.ts";
import { CommandLog } from "./CommandLog.tsx";
import { CommandNews } from "./CommandNews.tsx";
import { ModeCards } from "./modes/ModeCards.tsx";
import { ModeNext } from "./modes/ModeNext.tsx";
import { TROUBLE_SHOWN_MS, useChannelWaterings } from "./panel-model.ts";
import { useValveCommand } from "./use-valve-command.ts";
import { ValveButtons } from "./ValveButtons.tsx";

/** Large letters: a name beside another would have a letter a line. */
const PANEL = {
  templateColumns: { base: "minmax(0, 1fr)", md: "minmax(0, 1.6fr) minmax(14rem, 1fr)" },
  alignItems: "start",
  gap: "4",
} as const;
/** Here, where the hand on the valve is, the name is whole. */
const VALVE = {
  align: "center",
  gap: "5",
  mb: "4",
  css: {
    "[data-surface=phone] & > svg": { boxSize: "80px" },
    // Large letters: name and state get the symbol's room (UI-7).
    "@media (max-width: 22rem)": {
      "[data-surface=phone] & > svg": { display: "none" },
      "& .thing-title": { fontSize: "label", lineHeight: "1.25" },
    },
    "& .thing-title": { display: "block", color: "fg.muted", fontWeight: "500" },
    "& .thing-title__name": { whiteSpace: "normal" },
    "& strong": { fontSize: "reading", fontWeight: "650", lineHeight: "1.15" },
    '&[data-live="false"] strong': { color: "fg.muted" },
    '&[data-kind="mismatch"] strong': { color: "alarm.p1.fg", fontSize: "title" },
  },
} as const;
const LINES = { templateColumns: "minmax(0, 1fr)", gap: "0.15rem", minW: "0" } as const;
const NOTE = { as: "span", color: "fg.muted", fontSize: "label" } as const;

/** Runs below this length are given in seconds, ms. */
const SECONDS_BELOW_MS = 120_000;

const LEVEL = { ...FIELDS.l, name: "l" };

/** Show the water level that controls a paddy's gate, from the first of the channel's level sensors. */
function ChannelLevel({ sensorId }: { sensorId: string | number | undefined }) {
  const labels = useLabels();
  const sensor = useLive("sensor", sensorId ?? "");
  const quality = useShownQuality(sensor?.quality ?? null);
  return (
    <Card title={labels.field(LEVEL.name)}>
      <ReadingValue
        value={readingNumber(sensor?.reading, LEVEL.name)}
        field={LEVEL}
        quality={sensor ? fieldQuality(quality, sensor, LEVEL.name) : quality}
      />
    </Card>
  );
}

interface ChannelPanelProps {
  unit: ValveUnit;
  channel: UnitChannel;
  /** Below the valve: the others of its controller. */
  beside?: ReactNode;
}

/** One channel: the valve's state, its end and its controls. Pass the channel's id as `key`. */
export function ChannelPanel({ unit, channel, beside }: ChannelPanelProps) {
  const { t } = useTranslation(["common", "controller"]);
  const quality = useDrawnQuality(channel.value);
  const { sent, open, close, takeBack } = useValveCommand(unit, channel);
  const { onoff, modes, moisture, runUntil, endsBy, limit, number } = channel.value;
  const view = useValveView(channel.value);
  const last = useLastReport(channel.value);
  const left = useTimeLeft(runUntil, view);

  return (
    <Grid {...PANEL}>
      <Card>
        <Flex {...VALVE} {...viewMarks(view)}>
          <ValveSymbol view={view} size={104} />
          <Grid {...LINES}>
            {/* Announced when the valve's state changes, whatever caused it. */}
            <Grid as="span" {...LINES} role="status" aria-atomic>
              <span data-testid="channel-name">
                <ThingTitle name={nameInUnit(unit, channel)} number={number} />
              </span>
              <strong data-testid="valve-state">{valveTexts(t, view, last.time)}</strong>
              {!view.live && view.kind !== "mismatch" && last.sentence !== null && (
                <Text as="span" color="fg.muted" fontSize="heading" fontWeight="600">
                  {last.sentence}
                </Text>
              )}
            </Grid>
            {onoff === 1 &&
              (left !== null || view.kind === "open" ? (
                <RunsUntil left={left} until={runUntil} endsBy={endsBy} />
              ) : (
                last.plannedEnd !== null && <Text {...NOTE}>{last.plannedEnd}</Text>
              ))}
            {limit === "none" && <Text {...NOTE}>{t("controller:noLimit")}</Text>}
            <LastWatering channelId={channel.id} />
            <NamePrompt unit={unit} channel={channel} />
          </Grid>
        </Flex>
        <ModeNext unit={unit} channel={channel} />
        <CommandNews channel={channel} sent={sent} onTakeBack={takeBack} />
        <ValveButtons {...{ unit, channel, view, sent }} onOpen={open} onClose={close} />
      </Card>
      {beside}
      {unit.type === "CON01W" ? (
        <ChannelLevel sensorId={channel.value.sensorIds[0]} />
      ) : (
        <ChannelMoisture moisture={moisture} modes={modes} quality={quality} />
      )}
      <Grid gap="4" gridColumn="1 / -1">
        <ModeCards unit={unit} channel={channel} closeValve={close} />
        <CommandLog channel={channel} />
      </Grid>
    </Grid>
  );
}

/** Offer to name a valve that borrows the name of its sensors or of its controller (NAME-1). */
function NamePrompt({ unit, channel }: { unit: ValveUnit; channel: UnitChannel }) {
  const { t } = useTranslation("controller");
  const readOnly = useReadOnly();
  // A sensor with valves has no form of its channels.
  if (readOnly || unit.form !== "controller" || channel.value.name?.trim()) return null;
  return (
    <TextLink look={{ textStyle: "label" }} to={valveNamePath(unit.id, channel.value.number)}>
      {t("giveName")}
    </TextLink>
  );
}

interface RunsUntilProps {
  /** Seconds. */
  left: number | null;
  until: string | null;
  endsBy: "device" | "relay" | null;
}

/**
 * Show when an open valve closes, as a countdown on the server's clock (RUN-4), and what closes it (RUN-2).
 */
function RunsUntil({ left, until, endsBy }: RunsUntilProps) {
  const { t } = useTranslation(["common", "controller"]);
  const texts = useTimeTexts();
  if (left === null || until === null) return <Text {...NOTE}>{t("controller:noEnd")}</Text>;
  return (
    <>
      <Text as="span" color="flow" fontSize="heading" fontWeight="650" data-testid="time-left">
        {t("duration.left", { time: clockText(left) })}
      </Text>
      <Text {...NOTE}>
        {t("runTime.until", { time: texts.time(Date.parse(until)) })}
        {endsBy === "relay" && ` · ${t("controller:closedByRelay")}`}
      </Text>
    </>
  );
}

interface ChannelMoistureProps extends Pick<UnitChannel["value"], "moisture" | "modes"> {
  quality: DrawnQuality | null;
}

/** Show the channel's moisture, against the bounds of its automatic mode if it has them (UI-4). */
function ChannelMoisture({ moisture, modes, quality }: ChannelMoistureProps) {
  const { t } = useTranslation("controller");
  const band = bandOf(modes);
  return (
    <Card title={t("moisture")}>
      <Flex align="center" gap="5" css={{ "& > .range-band": { flex: "1" } }}>
        <ReadingValue value={moisture} field={FIELDS.moisture} quality={quality} />
        {band && <RangeBand value={moisture} {...{ band, quality }} />}
      </Flex>
    </Card>
  );
}

/** Show what started the current watering, else the last watering. */
function LastWatering({ channelId }: { channelId: string }) {
  const { t } = useTranslation(["common", "controller"]);
  const texts = useTimeTexts();
  const endings = useWateringTexts();
  const { running, last } = useChannelWaterings(channelId);
  const labels = useLabels();
  const isNews = useServerTime((now) => last?.end != null && now - Date.parse(last.end) < TROUBLE_SHOWN_MS);
  if (running) {
    const who = running.by?.nickname ?? t(`watering.cause.${running.cause}`);
    const time = texts.time(Date.parse(running.start));
    const isOutside = running.cause === "external";
    return (
      <Text {...NOTE} {...(isOutside && { color: "alarm.p2.fg", fontWeight: "600" })}>
        {isOutside ? t("controller:openedExternally", { time }) : t("controller:openedBy", { who, time })}
      </Text>
    );
  }
  if (!last?.end) return null;
  const end = Date.parse(last.end);
  if (last.withdrawn && isNews) {
    const ran = Math.max(1_000, end - Date.parse(last.start));
    const time =
      ran < SECONDS_BELOW_MS
        ? t("duration.seconds", { count: Math.round(ran / 1_000) })
        : labels.duration(ran);
    return (
      <Text {...NOTE} color="fg" fontWeight="600">
        {t("controller:withdrawn", { time })}
      </Text>
    );
  }
  return (
    <Text {...NOTE}>
      {t("controller:last", spanTexts(Date.parse(last.start), end, texts, true))}
      {` · ${endings.ending(last, end)}`}
    </Text>
  );
}
