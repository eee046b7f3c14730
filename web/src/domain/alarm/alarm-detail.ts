import type { Alarm, AlarmDetail, AlarmType } from "@mulkko/shared/live/alarm";
import { formatMoisture } from "@mulkko/shared/rules/format";
import { STORAGE_FAULTS } from "@mulkko/shared/rules/storage-fault";
import type { TFunction } from "i18next";

/** Translations for the parts of a detail. */
export interface DetailTexts {
  readonly t: TFunction<["alarms", "common"]>;
  /** Format an instant (ISO UTC). */
  time(instant: string): string;
  /** Describe a command and the last reported state; null if no report is known. */
  commanded(target: "open" | "closed"): string | null;
  /** Valves that the alarm reports as open, with their ends; null without any. */
  openValves: string | null;
  /** Translate an error code. */
  error(code: string): string;
}

type Part = AlarmDetail[string] | undefined;
const textIn = (part: Part): string | null => (typeof part === "string" && part !== "" ? part : null);
const numberIn = (part: Part): number | null => (typeof part === "number" ? part : null);
const instantIn = (part: Part): string | null => {
  const text = textIn(part);
  return text === null || Number.isNaN(Date.parse(text)) ? null : text;
};

/** Each sentence is optional: a relay of another version may send more or fewer parts. */
type Sentences = readonly (string | null)[];

function soilSentences(detail: AlarmDetail, { t }: DetailTexts): Sentences {
  const moisture = formatMoisture(numberIn(detail.moisture));
  const low = numberIn(detail.lowerBound);
  const high = numberIn(detail.upperBound);
  if (low !== null && high !== null) return [t("detail.between", { moisture, low, high })];
  if (low !== null) return [t("detail.atLeast", { moisture, low })];
  return [high === null ? t("detail.moisture", { moisture }) : t("detail.atMost", { moisture, high })];
}

function openingSentences(type: AlarmType, detail: AlarmDetail, { t, time }: DetailTexts): Sentences {
  const start = instantIn(detail.start);
  const end = instantIn(detail.end);
  const closesAt = instantIn(detail.closesAt);
  return [
    start && t("detail.openSince", { time: time(start) }),
    end && t(type === "open-too-long" ? "detail.shouldEnd" : "detail.wantedUntil", { time: time(end) }),
    closesAt && t("detail.closesAt", { time: time(closesAt), by: textIn(detail.closesFor) ?? "" }),
  ];
}

function commandSentences(detail: AlarmDetail, { t, time, error, commanded }: DetailTexts): Sentences {
  const reason = textIn(detail.reason);
  const until = instantIn(detail.until);
  return [
    detail.target === 2
      ? (commanded("closed") ?? t("detail.commandClose"))
      : (commanded("open") ?? t("detail.commandOpen")),
    reason && error(reason),
    until && t("detail.wantedUntil", { time: time(until) }),
  ];
}

function lostValveSentences({ active }: Alarm, { t, openValves: valves }: DetailTexts): Sentences {
  const open = active ? t("detail.valveOpen") : null;
  return [
    valves === null ? open : t("detail.lostWatering", { valves }),
    active ? t("detail.checkValves") : null,
  ];
}

function sentencesOf(alarm: Alarm, texts: DetailTexts): Sentences {
  const { t, time } = texts;
  const { type, detail, count } = alarm;
  const parts = detail ?? {};
  const since = instantIn(parts.since);
  const silent = since && t("detail.silentSince", { time: time(since) });
  switch (type) {
    case "battery": {
      const battery = numberIn(parts.battery);
      return [battery === null ? textIn(parts.message) : t("detail.battery", { battery })];
    }
    case "rssi": {
      const rssi = numberIn(parts.rssi);
      return [rssi === null ? textIn(parts.message) : t("detail.rssi", { rssi })];
    }
    case "device":
      return [silent ?? textIn(parts.message)];
    case "notice":
      // Without other parts, quote the farm API in its own language.
      return [textIn(parts.message)];
    case "offline":
      return [silent];
    case "controller-offline":
      return [silent, t("detail.checkController")];
    case "controller-offline-watering":
      return [...lostValveSentences(alarm, texts), silent];
    case "out-of-bounds":
      return soilSentences(parts, texts);
    case "no-rise":
      return [
        t("detail.noRise", {
          before: formatMoisture(numberIn(parts.before)),
          after: formatMoisture(numberIn(parts.after)),
        }),
      ];
    case "command-unconfirmed":
    case "command-failed":
      return commandSentences(parts, texts);
    case "late-opening": {
      const pressedAt = instantIn(parts.pressedAt);
      return [pressedAt && t("detail.lateOpening", { time: time(pressedAt), by: textIn(parts.by) ?? "" })];
    }
    case "open-too-long":
    case "external-open":
      return openingSentences(type, parts, texts);
    case "clock-wrong":
      return [since && t("detail.since", { time: time(since) }), t("common:clockFault.meaning")];
    case "not-storing": {
      // A fault of a later relay has no translation here.
      const fault = STORAGE_FAULTS.find((one) => one === parts.fault);
      return [
        fault === undefined ? null : t(`common:notStoring.${fault}`),
        since && t("detail.since", { time: time(since) }),
      ];
    }
    case "no-access":
      return [t("detail.noAccess")];
    case "upstream-down":
    case "broker-down":
    case "farm-link":
      return [t("detail.devices", { count }), silent];
  }
}

const OUTAGES: ReadonlySet<string> = new Set(["upstream-down", "broker-down", "farm-link"]);

/**
 * Return the details of an alarm beyond its type, as sentences. For an outage `count` is the number of
 * devices, else of occurrences.
 */
export function alarmDetail(alarm: Alarm, texts: DetailTexts): string[] {
  const often =
    alarm.count > 1 && !OUTAGES.has(alarm.type) ? texts.t("detail.often", { count: alarm.count }) : null;
  return [...sentencesOf(alarm, texts), often].filter((sentence) => sentence !== null);
}
