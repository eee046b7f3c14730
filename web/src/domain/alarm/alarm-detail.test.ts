import type { Alarm } from "@mulkko/shared/live/alarm";
import i18next, { type TFunction } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import en from "../../i18n/locales/en/app.json" with { type: "json" };
import { buildAlarm } from "../../testing/build-alarm.ts";
import { alarmDetail, type DetailTexts } from "./alarm-detail.ts";

const SINCE = "2026-11-22T03:00:00Z";

describe("alarm details", () => {
  let t: TFunction<["alarms", "common"]>;
  beforeAll(async () => {
    const i18n = i18next.createInstance();
    await i18n.init({
      lng: "en",
      resources: { en },
      interpolation: { escapeValue: false },
    });
    t = i18n.getFixedT("en", ["alarms", "common"]);
  });
  const sentences = (alarm: Partial<Alarm>, texts: Partial<DetailTexts> = {}): string[] =>
    alarmDetail(buildAlarm(alarm), {
      t,
      time: (instant) => instant.slice(11, 16),
      error: (code) => `error ${code}`,
      commanded: () => null,
      openValves: null,
      ...texts,
    });

  it("[ALM-1] describes battery and signal by their numbers, in the language of the screen", () => {
    const message = "배터리가 부족합니다";
    expect(sentences({ type: "battery", detail: { battery: 12, message } })).toEqual([
      "Battery at 12 %. Replace or charge it",
    ]);
    expect(sentences({ type: "rssi", detail: { rssi: -121, message } })).toEqual([
      "Signal at -121 dBm. Check the antenna and the device’s location",
    ]);
  });

  it("[ALM-1] quotes the farm API for a battery or signal without a number", () => {
    expect(sentences({ type: "battery", detail: { message: "Battery low" } })).toEqual(["Battery low"]);
    expect(sentences({ type: "rssi", detail: { message: "Signal weak" } })).toEqual(["Signal weak"]);
    expect(sentences({ type: "rssi", detail: null })).toEqual([]);
  });

  it("[ALM-1] describes a silent device by the time of its last report, or quotes the farm API", () => {
    expect(sentences({ type: "device", detail: { since: SINCE, message: "이상" } })).toEqual([
      "No data since 03:00",
    ]);
    expect(sentences({ type: "device", detail: { since: "not a time", message: "Fault" } })).toEqual([
      "Fault",
    ]);
  });

  it("[ALM-1] says what is open, until when and what to do for a controller lost while water runs", () => {
    const alarm = { type: "controller-offline-watering", detail: { since: SINCE } } as const;
    expect(sentences(alarm, { openValves: "Tomato bed CH 1 open until 13:21" })).toEqual([
      "Connection lost while watering: Tomato bed CH 1 open until 13:21",
      "Check on site and close the valves by hand",
      "No data since 03:00",
    ]);
  });

  it("[ALM-1] says that a valve is open without its name, and gives no advice once the alarm is over", () => {
    const alarm = { type: "controller-offline-watering", detail: { since: SINCE } } as const;
    expect(sentences(alarm)).toEqual([
      "A valve was last reported open",
      "Check on site and close the valves by hand",
      "No data since 03:00",
    ]);
    expect(sentences({ ...alarm, active: false })).toEqual(["No data since 03:00"]);
  });

  it("[CMD-2] shows a command that did not arrive beside the last report, if one is known", () => {
    const alarm = { type: "command-failed", detail: { target: 2, reason: "store-down" } } as const;
    expect(sentences(alarm)).toEqual(["Command: close", "error store-down"]);
    const commanded = (target: string) => `${target} / last report: open (13:15)`;
    expect(sentences(alarm, { commanded })).toEqual([
      "closed / last report: open (13:15)",
      "error store-down",
    ]);
    expect(sentences({ ...alarm, detail: { target: 1 } }, { commanded })).toEqual([
      "open / last report: open (13:15)",
    ]);
  });
});
