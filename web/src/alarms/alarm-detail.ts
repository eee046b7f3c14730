import type { Alarm, AlarmDetail, AlarmType } from "@mulkko/shared/live/alarm";
import { STORAGE_FAULTS } from "@mulkko/shared/rest/storage";
import { formatMoisture } from "@mulkko/shared/rules/format";
import type { TFunction } from "i18next";

/** What turns the parts of a detail into words. */
export interface DetailWords {
  readonly t: TFunction<["alarms", "common"]>;
  /** An instant, ISO UTC, in words. */
  time(instant: string): string;
  /** What a code means. */
  error(code: string): string;
}

type Part = AlarmDetail[string] | undefined;
const textIn = (part: Part): string | null => (typeof part === "string" && part !== "" ? part : null);
const numberIn = (part: Part): number | null => (typeof part === "number" ? part : null);
const instantIn = (part: Part): string | null => {
  const text = textIn(part);
  return text === null || Number.isNaN(Date.parse(text)) ? null : text;
};

/** A sentence for each part that is there: a relay of another version may say more, or less. */
type Sentences = readonly (string | null)[];

function soilSentences(detail: AlarmDetail, { t }: DetailWords): Sentences {
  const moisture = formatMoisture(numberIn(detail.moisture));
  const low = numberIn(detail.lowerBound);
  const high = numberIn(detail.upperBound);
  if (low !== null && high !== null) return [t("detail.between", { moisture, low, high })];
  if (low !== null) return [t("detail.atLeast", { moisture, low })];
  return [high === null ? t("detail.moisture", { moisture }) : t("detail.atMost", { moisture, high })];
}

function openingSentences(type: AlarmType, detail: AlarmDetail, { t, time }: DetailWords): Sentences {
  const start = instantIn(detail.start);
  const end = instantIn(detail.end);
  const closesAt = instantIn(detail.closesAt);
  return [
    start && t("detail.openSince", { time: time(start) }),
    end && t(type === "open-too-long" ? "detail.shouldEnd" : "detail.wantedUntil", { time: time(end) }),
    closesAt && t("detail.closesAt", { time: time(closesAt), by: textIn(detail.closesFor) ?? "" }),
  ];
}

function commandSentences(detail: AlarmDetail, { t, time, error }: DetailWords): Sentences {
  const reason = textIn(detail.reason);
  const until = instantIn(detail.until);
  return [
    t(detail.target === 2 ? "detail.toldClose" : "detail.toldOpen"),
    reason && error(reason),
    until && t("detail.wantedUntil", { time: time(until) }),
  ];
}

function sentencesOf({ type, detail, count }: Alarm, words: DetailWords): Sentences {
  const { t, time } = words;
  const said = detail ?? {};
  const since = instantIn(said.since);
  const silent = since && t("detail.silentSince", { time: time(since) });
  switch (type) {
    case "battery": {
      const battery = numberIn(said.battery);
      return [battery === null ? textIn(said.message) : t("detail.battery", { battery })];
    }
    case "rssi": {
      const rssi = numberIn(said.rssi);
      return [rssi === null ? textIn(said.message) : t("detail.rssi", { rssi })];
    }
    case "device":
      return [silent ?? textIn(said.message)];
    case "notice":
      // Nothing else is known: a quotation of the farm API, in whatever language it speaks.
      return [textIn(said.message)];
    case "offline":
      return [silent];
    case "controller-offline":
      return [silent, t("detail.checkController")];
    case "controller-offline-watering":
      return [silent, t("detail.checkValves")];
    case "out-of-bounds":
      return soilSentences(said, words);
    case "no-rise":
      return [
        t("detail.noRise", {
          before: formatMoisture(numberIn(said.before)),
          after: formatMoisture(numberIn(said.after)),
        }),
      ];
    case "command-unconfirmed":
    case "command-failed":
      return commandSentences(said, words);
    case "open-too-long":
    case "external-open":
      return openingSentences(type, said, words);
    case "not-storing":
      return [faultSentence(textIn(said.fault), words), since && t("detail.since", { time: time(since) })];
    case "no-access":
      return [t("detail.noAccess")];
    case "upstream-down":
    case "broker-down":
    case "farm-link":
      return [t("detail.devices", { count }), silent];
  }
}

/** A fault of a later relay has no sentence here. */
function faultSentence(fault: string | null, { t }: DetailWords): string | null {
  const known = STORAGE_FAULTS.find((one) => one === fault);
  return known === undefined ? null : t(`common:notStoring.${known}`);
}

const OUTAGES: ReadonlySet<string> = new Set(["upstream-down", "broker-down", "farm-link"]);

/** What is known of an alarm beyond its type, in sentences; of an outage its count is devices, else how often. */
export function alarmDetail(alarm: Alarm, words: DetailWords): string[] {
  const often =
    alarm.count > 1 && !OUTAGES.has(alarm.type) ? words.t("detail.often", { count: alarm.count }) : null;
  return [...sentencesOf(alarm, words), often].filter((sentence) => sentence !== null);
}
