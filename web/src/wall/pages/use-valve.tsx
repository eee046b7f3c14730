import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { clockText } from "../../domain/time/time-texts.ts";
import { useLastReportIn } from "../../domain/valve/last-report.ts";
import { modeNames, valveTexts } from "../../domain/valve/valve-texts.ts";
import { channelName } from "../../domain/valve/valve-title.ts";
import { type ValveView, valveView } from "../../domain/valve/valve-view.ts";
import { useTimeLeft } from "../../domain/watering/use-when.ts";
import { useAge, useDrawnQuality, useLive, useLiveSelection } from "../../live/hooks.ts";
import { useWall } from "../wall-context.ts";
import { useAlarmOf } from "./alarm-keys.ts";

const BOXES = ["controller.listing", "sensor.listing"] as const;

/** A valve as shown on a wall. */
export interface WallValve {
  /** Its name (NAME-1). */
  readonly name: string;
  /** Key of the controller or COT sensor with this channel. */
  readonly unit: string;
  readonly number: number;
  readonly view: ValveView;
  readonly quality: DrawnQuality | null;
  /** Time of its unit's last message. */
  readonly heardAt: string | null;
  readonly alarm: AlarmPriority | null;
  /** Letter of the active mode. */
  readonly letter: string | null;
  /** Reported position as text; with a question mark if it differs from the command. */
  readonly word: string;
  /** Remaining time, commanded position, last report, next opening, or active mode. */
  readonly foot: string;
  readonly moisture: number | null;
}

const nextOf = ({ modes }: ChannelValue): string | null =>
  modes?.active === "reservation" && modes.reservation && modes.reservation.wateringDuration > 0
    ? modes.reservation.onTime
    : null;

/** Return a channel as texts, and follow it; null once it is deleted. */
export function useValve(id: string): WallValve | null {
  const { t } = useTranslation("common");
  const { t: say } = useTranslation("wall");
  const { texts } = useWall();
  const channel = useLive("channel", id);
  const owner = channel === undefined ? null : `${channel.controllerId}`;
  const called = useLiveSelection(
    BOXES,
    (farm) => {
      if (owner === null || channel === undefined) return null;
      const unit = (farm.controllers.get(owner) ?? farm.sensors.get(owner))?.info;
      return { name: channelName(channel, farm), unit: deviceName(unit ?? channel) };
    },
    shallow,
  );
  const quality = useDrawnQuality(channel);
  const alarm = useAlarmOf([`channel:${id}`, `controller:${owner}`, `sensor:${owner}`]);
  const view = valveView({ onoff: channel?.onoff ?? 0, command: channel?.command ?? null, quality });
  const left = useTimeLeft(channel?.runUntil ?? null, view);
  const last = useLastReportIn(texts, channel);
  if (!channel) return null;
  const mode = channel.modes?.active ?? "none";
  const next = nextOf(channel);
  const foot = () => {
    if (view.kind === "mismatch")
      return say("valve.commanded", {
        state: t(view.commanded === "open" ? "command.target.open" : "command.target.close"),
      });
    // The position first: a narrow tile truncates the end.
    if (!view.live && last.state !== null)
      return last.time === null ? last.state : say("valve.asOf", { state: last.state, time: last.time });
    if (left !== null) return t("duration.left", { time: clockText(left) });
    const lack = channel.modes?.incomplete ?? null;
    if (lack !== null && channel.onoff !== 1) return t(`lacks.${lack}`);
    return next !== null && channel.onoff !== 1
      ? t("valve.next", { time: next })
      : modeNames(t, channel.modes);
  };
  const actual = view.kind === "mismatch" ? t(`valve.${view.actual ?? "unknown"}`) : valveTexts(t, view);
  return {
    name: called?.name ?? "",
    unit: called?.unit ?? "",
    number: channel.number,
    view,
    quality,
    heardAt: channel.heardAt,
    alarm: view.kind === "mismatch" ? 1 : alarm,
    letter: mode === "none" ? null : t(`mode.letter.${mode}`),
    word: view.kind === "mismatch" ? say("valve.doubted", { state: actual }) : actual,
    foot: foot(),
    moisture: channel.moisture,
  };
}

/**
 * Show the age of an outdated valve report; only this re-renders each second. Renders nothing if the valve's
 * text gives the quality and the report's time is shown below.
 */
export function ValveMark({
  valve: { quality, heardAt, view },
}: {
  valve: Pick<WallValve, "quality" | "heardAt" | "view">;
}) {
  return quality === null || quality === "fresh" || view.kind === "last" ? null : (
    <Old quality={quality} heardAt={heardAt} />
  );
}

function Old({ quality, heardAt }: Pick<WallValve, "quality" | "heardAt">) {
  return <QualityMark quality={quality} ageMs={useAge(heardAt)} brief />;
}
