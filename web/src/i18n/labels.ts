import { type Actor, RELAY_ACTOR } from "@mulkko/shared/live/devices";
import { isSentence } from "@mulkko/shared/rest/refusal-body";
import { relativeTime } from "@mulkko/shared/rules/relative-time";
import type { StressLevel } from "@mulkko/shared/rules/stress";
import type { i18n, ParseKeys, TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "./use-translation.ts";

/** Litres are told to the litre; less than this many to the tenth. */
const TO_THE_TENTH_BELOW = 10;

/** Words for what arrives as data: field names, device types, codes, ages. */
export interface Labels {
  /** Label of a reading's field; a field that nobody knows is called by its own name. */
  field(name: string): string;
  /** Name of a device type; an unknown type is called by its own name. */
  deviceType(type: string): string;
  /** Title of a notification's type (BATTERY, RSSI, DEVICE); another is called by its own name. */
  notificationType(type: string): string;
  /** What an alarm's type means; an unknown one is called by its own name. */
  alarmType(type: string): string;
  /** What a crop stress level means for the plant. */
  stress(level: StressLevel): string;
  /**
   * What an error's reason means for the person in front of it: a code, of which an unknown one gets the general
   * sentence, or the sentence of a farm API that has no codes, which is quoted.
   */
  error(reason: string): string;
  /** Name the actor: a person by name, the relay by its automatic action. */
  actor(by: Actor): string;
  /** An amount of water: to the litre, under ten to the tenth. */
  litres(litres: number): string;
  /** An age in words, ms: just now, 3 min ago, … */
  age(ms: number): string;
  /** An age as short as it can be said, ms, to the second under a minute: 3 s, 12 min, 4 h. */
  shortAge(ms: number): string;
}

/** Builds the labels of the language that `instance` speaks. */
export function createLabels(instance: i18n, t: TFunction<"common">): Labels {
  const isKey = (key: string): key is ParseKeys<"common"> => instance.exists(key, { ns: "common" });
  const lookup = (group: string, name: string, otherwise: string): string => {
    const key = `${group}.${name}`;
    return isKey(key) ? t(key) : otherwise;
  };
  return {
    field: (name) => lookup("field", name, name),
    deviceType: (type) => lookup("deviceType", type, type),
    notificationType: (type) => lookup("notificationType", type, type),
    alarmType: (type) => lookup("alarmType", type, type),
    stress: (level) => t(`stress.${level}`),
    error: (reason) =>
      isSentence(reason)
        ? t("form.refused", { sentence: reason })
        : lookup("error", reason, t("error.unknown")),
    actor: (by) => (by.id === RELAY_ACTOR.id ? t("watering.automaticEnd") : by.nickname),
    litres(litres) {
      const maximumFractionDigits = litres < TO_THE_TENTH_BELOW ? 1 : 0;
      const amount = litres.toLocaleString(instance.language, { maximumFractionDigits });
      return t("watering.litres", { amount });
    },
    age(ms) {
      const age = relativeTime(ms);
      return age.unit === "now" ? t("age.now") : t(`age.${age.unit}`, { count: age.count });
    },
    shortAge(ms) {
      const age = relativeTime(ms);
      return age.unit === "now"
        ? t("shortAge.seconds", { count: Math.max(0, Math.floor(ms / 1000)) })
        : t(`shortAge.${age.unit}`, { count: age.count });
    },
  };
}

/** The labels of the language that the interface speaks. */
export function useLabels(): Labels {
  const { t, i18n } = useTranslation("common");
  return useMemo(() => createLabels(i18n, t), [i18n, t]);
}
