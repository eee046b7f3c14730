import type { Modes } from "@mulkko/shared/entities/modes";
import { PeriodBody, ReservationBody, TriggerBody } from "@mulkko/shared/rest/watering";
import { parse } from "@mulkko/shared/schema/parse";
import { describe, expect, it } from "vitest";
import {
  faultsOf,
  isSameSetting,
  type ModeValues,
  type SavingKind,
  settingOf,
  valuesOf,
  warningOf,
} from "./mode-model.ts";

const values = (over: Partial<ModeValues>): ModeValues => ({
  low: "",
  high: "",
  time: "",
  interval: "",
  minutes: "",
  repeat: null,
  ...over,
});
const MODES: Modes = {
  active: "automatic",
  automatic: { lowerBound: 25, upperBound: null, wateringDuration: 10 },
  reservation: { onTime: "06:30", wateringDuration: 15, repeat: true },
  period: { wateringInterval: 240, wateringDuration: 5, repeat: false },
};
const KINDS: readonly SavingKind[] = ["apart", "together", "one-by-one"];

describe("mode values in the forms", () => {
  it("[modes] come from the channel's report; missing ones are empty", () => {
    expect(valuesOf("automatic", MODES)).toEqual(values({ low: "25", minutes: "10" }));
    expect(valuesOf("reservation", MODES)).toEqual(values({ time: "06:30", minutes: "15", repeat: true }));
    expect(valuesOf("period", MODES)).toEqual(values({ interval: "240", minutes: "5", repeat: false }));
    for (const modes of [null, { ...MODES, automatic: null }])
      expect(valuesOf("automatic", modes)).toEqual(values({}));
  });

  it("[spec 5] require the watering time in each mode", () => {
    expect(faultsOf("automatic", values({ low: "20" }))).toEqual({ minutes: "minutesRequired" });
    expect(faultsOf("reservation", values({ time: "06:30" }))).toEqual({ minutes: "minutesRequired" });
    expect(faultsOf("period", values({ interval: "60" }))).toEqual({ minutes: "minutesRequired" });
    expect(faultsOf("reservation", values({ minutes: "5" }))).toEqual({});
    expect(faultsOf("period", values({ minutes: "5" }))).toEqual({});
  });

  it("[spec 5] require one of the two bounds in the automatic mode", () => {
    expect(faultsOf("automatic", values({ minutes: "5" }))).toEqual({ low: "boundRequired" });
    expect(faultsOf("automatic", values({ minutes: "5", low: "20" }))).toEqual({});
    expect(faultsOf("automatic", values({ minutes: "5", high: "35,5" }))).toEqual({});
    expect(faultsOf("automatic", values({ minutes: "5", low: "0" }))).toEqual({});
  });

  it("[modes] keep the minimum below the maximum, both within 0 and 100", () => {
    expect(faultsOf("automatic", values({ minutes: "5", low: "35", high: "35" }))).toEqual({
      low: "boundOrder",
    });
    expect(faultsOf("automatic", values({ minutes: "5", low: "100.1" }))).toEqual({ low: "boundRange" });
    expect(faultsOf("automatic", values({ minutes: "5", low: "20", high: "wet" }))).toEqual({
      high: "boundRange",
    });
    expect(faultsOf("automatic", values({ minutes: "5", low: "-3" }))).toEqual({ low: "boundRange" });
  });

  it.each(["0", "1441", "5.5", "-1", "1e2", "ten", "5 5", "0x10"])(
    "[modes] reject %s as the minutes of a watering",
    (minutes) => {
      expect(faultsOf("period", values({ minutes }))).toEqual({ minutes: "minutesRange" });
    },
  );

  it("[RUN-1] allow at most a day of watering and an interval of 30 days", () => {
    expect(faultsOf("period", values({ minutes: "1440", interval: "2880" }))).toEqual({});
    expect(faultsOf("period", values({ minutes: "1", interval: "43200" }))).toEqual({});
    expect(faultsOf("period", values({ minutes: "1", interval: "43201" }))).toEqual({
      interval: "intervalRange",
    });
  });

  it("[modes] accept a time of day as HH:mm", () => {
    const fault = (time: string) => faultsOf("reservation", values({ minutes: "5", time })).time;
    expect(["06:30", "23:59", "00:00", "6:30", " 06:30 ", "06:30:00", ""].map(fault)).toEqual(
      Array(7).fill(undefined),
    );
    expect(["24:00", "06:60", "0630", "6", "noon"].map(fault)).toEqual(Array(5).fill("timeForm"));
  });

  it("[modes] warn about valid settings that never water or never stop", () => {
    expect(warningOf("reservation", values({ minutes: "5" }), true)).toBe("noTime");
    expect(warningOf("period", values({ minutes: "5" }), true)).toBe("noInterval");
    expect(warningOf("period", values({ minutes: "60", interval: "60" }), true)).toBe("noPause");
    expect(warningOf("period", values({ minutes: "5", interval: "60" }), true)).toBeNull();
    expect(warningOf("automatic", values({ minutes: "5" }), true)).toBeNull();
    expect(warningOf("automatic", values({ minutes: "5" }), false)).toBe("noMoisture");
    expect(warningOf("period", values({}), true)).toBeNull();
  });
});

describe("request that saves a mode", () => {
  it("[spec 7] sends the watering time and the filled bounds of the automatic mode", () => {
    expect(settingOf("automatic", values({ low: "20", high: "30,5", minutes: "10" }), "together")).toEqual({
      mode: "automatic",
      body: { wateringDuration: 10, lowerBound: 20, upperBound: 30.5 },
    });
    expect(settingOf("automatic", values({ low: "0", minutes: "10" }), "together").body).toEqual({
      wateringDuration: 10,
      lowerBound: 0,
    });
  });

  it("[spec 5] sends a reservation's minutes as offDelayMinutes, its time only if set, and always its repeat", () => {
    expect(
      settingOf("reservation", values({ time: "6:30", minutes: "15", repeat: true }), "together"),
    ).toEqual({ mode: "reservation", body: { offDelayMinutes: 15, onTime: "06:30", repeat: true } });
    expect(settingOf("reservation", values({ minutes: "15" }), "together").body).toEqual({
      offDelayMinutes: 15,
      repeat: false,
    });
  });

  it("[spec 5] sends a period's interval and repeat only if the user entered them", () => {
    expect(settingOf("period", values({ minutes: "5" }), "together").body).toEqual({ wateringDuration: 5 });
    expect(
      settingOf("period", values({ minutes: "5", interval: "240", repeat: false }), "together").body,
    ).toEqual({ wateringDuration: 5, wateringInterval: 240, repeat: false });
  });

  it("[mode-enable] never activates a mode on saving if the API has a separate call, and omits the flag elsewhere", () => {
    for (const mode of ["automatic", "reservation", "period"] as const) {
      const filled = values({ low: "20", time: "06:30", interval: "60", minutes: "5", repeat: true });
      expect(settingOf(mode, filled, "apart").body).toMatchObject({ active: false });
      expect(settingOf(mode, filled, "together").body).not.toHaveProperty("active");
    }
  });

  it("[modes] matches the contract in every body", () => {
    const schemas = { automatic: TriggerBody, reservation: ReservationBody, period: PeriodBody };
    for (const mode of ["automatic", "reservation", "period"] as const)
      for (const kind of KINDS)
        for (const low of ["", "12,5"]) {
          const filled = values({
            low,
            high: "40",
            time: low && "06:30",
            interval: low && "60",
            minutes: "5",
          });
          const { body } = settingOf(mode, filled, kind);
          expect(parse(schemas[mode], body)).toMatchObject({ ok: true });
        }
  });

  it("[modes] treats equal values in another notation as the same setting", () => {
    const a = values({ low: "30", minutes: "5" });
    expect(isSameSetting("automatic", a, values({ low: "30,0", minutes: " 05" }))).toBe(true);
    expect(isSameSetting("automatic", a, values({ low: "30.1", minutes: "5" }))).toBe(false);
    expect(isSameSetting("period", values({ minutes: "5" }), values({ minutes: "5", repeat: false }))).toBe(
      true,
    );
    // A field of another mode does not count.
    expect(isSameSetting("automatic", a, { ...a, time: "06:30" })).toBe(true);
  });
});
