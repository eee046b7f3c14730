import { type Actor, RELAY_ACTOR } from "@mulkko/shared/live/devices";
import { isSentence } from "@mulkko/shared/rest/refusal-body";
import { formatWithUnit } from "@mulkko/shared/rules/format";
import { relativeTime } from "@mulkko/shared/rules/relative-time";
import type { StressLevel } from "@mulkko/shared/rules/stress";
import type { i18n, ParseKeys, TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";

/** Litres are shown as whole numbers; below this value with one decimal. */
const TO_THE_TENTH_BELOW = 10;

const MINUTE_MS = 60_000;

/** Minutes from which a duration is shown in hours and days. */
const IN_HOURS_FROM = 120;

/** Texts for values in data: field names, device types, codes, ages. */
export type Labels = ReturnType<typeof createLabels>;

/** Create the labels in `instance`'s current language. */
export function createLabels(instance: i18n, t: TFunction<"common">) {
  const isKey = (key: string): key is ParseKeys<"common"> => instance.exists(key, { ns: "common" });
  const lookup = (group: string, name: string, otherwise: string): string => {
    const key = `${group}.${name}`;
    return isKey(key) ? t(key) : otherwise;
  };
  return {
    /** Return the label of a reading's field; the name itself for an unknown field. */
    field: (name: string) => lookup("field", name, name),
    /** Return the name of a device type; the type itself if unknown. */
    deviceType: (type: string) => lookup("deviceType", type, type),
    /** Return the name of a sensor category: its own, or that of the device type it is named after. */
    category: (name: string) => lookup("category", name, lookup("deviceType", name, name)),
    /** Return the title of a notification's type (BATTERY, RSSI, DEVICE); the type itself if unknown. */
    notificationType: (type: string) => lookup("notificationType", type, type),
    /** Return the meaning of an alarm's type; the type itself if unknown. */
    alarmType: (type: string) => lookup("alarmType", type, type),
    /** Return the short name of a controller's channel. */
    channel: (number: number): string => t("valve.channel", { number }),
    /**
     * Return the name of a thing as text, for a channel with its number. Use `ThingTitle` where space is short.
     */
    thing: ({ name, number }: { readonly name: string; readonly number?: number }): string =>
      number === undefined ? name : `${name} ${t("valve.channel", { number })}`,
    /** Return the meaning of a crop stress level for the plant. */
    stress: (level: StressLevel): string => t(`stress.${level}`),
    /**
     * Return the text of an error's reason: for a code its text, or a general one if unknown. The text of a
     * farm API without codes is quoted.
     */
    error: (reason: string): string =>
      isSentence(reason)
        ? t("form.refused", { sentence: reason })
        : lookup("error", reason, t("error.unknown")),
    /** Return the actor's name: a user by name, the relay by its automatic action. */
    actor: (by: Actor): string => (by.id === RELAY_ACTOR.id ? t("watering.automaticEnd") : by.nickname),
    /** Format an amount of water: whole litres, under ten with one decimal, from 10,000 on cubic metres. */
    litres(litres: number): string {
      if (litres < TO_THE_TENTH_BELOW)
        return `${litres.toLocaleString(instance.language, { maximumFractionDigits: 1 })} L`;
      const { text, unit } = formatWithUnit(litres, { decimals: 0 }, "L");
      return `${text} ${unit}`;
    },
    /** Format a duration (ms) in seconds under a minute, else in whole minutes: 20 s, 90 min, 2 h 30 min, 2 d. */
    duration(ms: number): string {
      if (ms > 0 && ms < MINUTE_MS) return t("duration.seconds", { count: Math.ceil(ms / 1_000) });
      const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
      if (minutes < IN_HOURS_FROM) return t("duration.minutes", { count: minutes });
      const parts = [
        ["days", Math.floor(minutes / 1_440)],
        ["hours", Math.floor((minutes % 1_440) / 60)],
        ["minutes", minutes % 60],
      ] as const;
      return parts
        .filter(([, count]) => count > 0)
        .map(([unit, count]) => t(`duration.${unit}`, { count }))
        .join(" ");
    },
    /** Format an age (ms) as text: just now, 3 min ago, … */
    age(ms: number): string {
      const age = relativeTime(ms);
      return age.unit === "now" ? t("age.now") : t(`age.${age.unit}`, { count: age.count });
    },
    /** Format an age (ms) as briefly as possible, with seconds under a minute: 3 s, 12 min, 4 h. */
    shortAge(ms: number): string {
      const age = relativeTime(ms);
      return age.unit === "now"
        ? t("shortAge.seconds", { count: Math.max(0, Math.floor(ms / 1000)) })
        : t(`shortAge.${age.unit}`, { count: age.count });
    },
  };
}

/** Return the labels in the interface language. */
export function useLabels(): Labels {
  const { t, i18n } = useTranslation("common");
  return useMemo(() => createLabels(i18n, t), [i18n, t]);
}
