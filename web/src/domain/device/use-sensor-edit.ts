import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { RestClient } from "../../api/client.ts";
import type { OverValve } from "../../api/closing-first.ts";
import { useErrorTexts } from "../../api/error-texts.ts";
import { isStale } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { changedFields, type FormFields } from "../../api/http.ts";
import { updateSensorImage } from "../../api/sensors.ts";
import { toaster } from "../../components/toaster.tsx";
import { useDeletion } from "../form/deletion-question.tsx";
import { FormFailure } from "../form/refusal.ts";
import { useForm } from "../form/use-form.ts";
import {
  readFields,
  type SensorMode,
  type SensorValues,
  sensorFaults,
  sensorValuesOf,
  updateForm,
} from "./sensor-values.ts";
import { useSensorTexts } from "./use-sensor-texts.ts";

interface SensorEditOptions {
  readonly sensor: SensorInfo;
  readonly returnTo: string;
  /** The owner edits a sensor; an administrator may correct it. */
  readonly mode: Exclude<SensorMode, "add">;
  /** False if the API call has no crop field. */
  readonly crops?: boolean;
  /** API calls of the owner or of an administrator. */
  readonly update: (
    rest: RestClient,
    id: string,
    form: FormFields,
    version: string | null | undefined,
  ) => Promise<void>;
  /** Load the sensor again after a version conflict. Without it the live stream provides the sensor. */
  readonly reload?: () => void;
  readonly remove: (rest: RestClient, id: string, over: OverValve) => Promise<void>;
}

/** Each of the two forms has its own draft storage, and a field whose value must be unique. */
const FORMS = {
  edit: { draft: "sensor", field: "externalId", taken: "fault.externalTaken" },
  correct: { draft: "any sensor", field: "serial", taken: "fault.serialTaken" },
} as const;

/** Save a sensor's fields and then its photo, and navigate back. A refused photo is reported at its field. */
export function useSensorEdit({
  sensor,
  returnTo,
  mode,
  crops = true,
  update,
  remove,
  reload,
}: SensorEditOptions) {
  const { t } = useTranslation("devices");
  const errorTexts = useErrorTexts();
  const navigate = useNavigate();
  const { client } = useRest();
  const devices = useExtension("devices");
  const texts = useSensorTexts();
  const stored = useMemo(() => sensorValuesOf(sensor), [sensor]);
  const id = `${sensor.id}`;
  const deletion = useDeletion<string>({
    remove,
    removed() {
      toaster.create({ type: "success", title: t("delete.done") });
      void navigate(returnTo, { replace: true });
    },
    failed: t("delete.failed"),
  });
  const form = useForm<SensorValues>({
    values: stored,
    draft: `${FORMS[mode].draft} ${id}`,
    version: sensor.version,
    rules: (values) => texts.faults(sensorFaults(values, mode)),
    conflictField: FORMS[mode].field,
    conflictTexts: t(FORMS[mode].taken),
    serverTexts: texts.server,
    async submit(values) {
      const whole = updateForm(id, values, { devices, crops });
      const before = updateForm(id, stored, { devices, crops });
      // An API without versions gets every field, as the base contract requires.
      const sent = sensor.version
        ? { id, deviceType: values.deviceType, ...changedFields(whole, before) }
        : readFields(whole, before, sensor);
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
          throw new FormFailure(t("edit.imageFailed"), { image: errorTexts(error) });
        }
      }
      toaster.create({ type: "success", title: t("edit.saved") });
    },
    saved: () => void navigate(returnTo),
  });
  return { id, stored, form, deletion };
}
