import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { useEffect, useMemo } from "react";
import { useNavigate } from "react-router-dom";
import { useTranslation } from "../i18n/use-translation.ts";
import { changedFields, type FormFields } from "../rest/bodies.ts";
import type { RestClient } from "../rest/client.ts";
import { isStale } from "../rest/errors.ts";
import { useExtension } from "../rest/extensions.ts";
import { useRest } from "../rest/hooks.ts";
import { updateSensorImage } from "../rest/sensors.ts";
import { toaster } from "../ui/feedback/toaster.tsx";
import { useErrorWords } from "../ui/feedback/use-error-words.ts";
import { FormFailure } from "../ui/form/refusal.ts";
import { type FormControl, useForm } from "../ui/form/use-form.ts";
import type { Deletion } from "../ui/overlay/use-deletion.ts";
import {
  type SensorMode,
  type SensorValues,
  sensorFaults,
  sensorValuesOf,
  updateForm,
} from "./sensor-values.ts";
import { useSensorDeletion } from "./use-sensor-deletion.ts";
import { useSensorWords } from "./use-sensor-words.ts";

interface SensorEditOptions {
  readonly sensor: SensorInfo;
  readonly returnTo: string;
  /** Its owner edits it, an administrator may put it right. */
  readonly mode: Exclude<SensorMode, "add">;
  /** The calls of whoever edits. */
  readonly update: (
    rest: RestClient,
    id: string,
    form: FormFields,
    version: string | null | undefined,
  ) => Promise<void>;
  /** Asks for the sensor again once it has turned out to be another; without it the sensor is followed live. */
  readonly reload?: () => void;
  readonly remove: (rest: RestClient, id: string) => Promise<void>;
}

/** The form of a sensor that stands, and its deletion. */
export interface SensorEdit {
  readonly id: string;
  /** What the farm API holds. */
  readonly stored: SensorValues;
  readonly form: FormControl<SensorValues>;
  readonly deletion: Deletion;
}

/** What there is one of already, where the answer is a conflict. */
const TAKEN = {
  edit: { field: "externalId", words: "fault.externalTaken" },
  correct: { field: "serial", words: "fault.serialTaken" },
} as const;

/** Content as it was typed is kept for each of the two forms by itself. */
const DRAFTS = { edit: "sensor", correct: "any sensor" } as const;

/** Saves a sensor's fields and then its picture, and goes back; a picture that is refused is told at its field. */
export function useSensorEdit({
  sensor,
  returnTo,
  mode,
  update,
  remove,
  reload,
}: SensorEditOptions): SensorEdit {
  const { t } = useTranslation("devices");
  const errorWords = useErrorWords();
  const navigate = useNavigate();
  const { client } = useRest();
  const devices = useExtension("devices");
  const words = useSensorWords();
  const stored = useMemo(() => sensorValuesOf(sensor), [sensor]);
  const id = `${sensor.id}`;
  const deletion = useSensorDeletion(id, returnTo, remove);
  const form = useForm<SensorValues>({
    initial: stored,
    draft: `${DRAFTS[mode]} ${id}`,
    rules: (values) => words.faults(sensorFaults(values, mode)),
    conflictField: TAKEN[mode].field,
    conflictWords: t(TAKEN[mode].words),
    serverWords: words.server,
    async submit(values) {
      const whole = updateForm(id, values, devices);
      // In front of an API without versions every field goes, as the plain contract has it.
      const sent = sensor.version
        ? { id, deviceType: values.deviceType, ...changedFields(whole, updateForm(id, stored, devices)) }
        : whole;
      try {
        await update(client, id, sent, sensor.version);
      } catch (error) {
        if (isStale(error)) reload?.();
        throw error;
      }
      if (values.image) {
        try {
          await updateSensorImage(client, id, values.image);
        } catch (error) {
          throw new FormFailure(t("edit.imageFailed"), { image: errorWords(error) });
        }
      }
      toaster.create({ type: "success", title: t("edit.saved") });
    },
    saved: () => void navigate(returnTo),
  });
  const { follow } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follow` is made anew at every drawing
  useEffect(() => follow(stored), [stored]);
  return { id, stored, form, deletion };
}
