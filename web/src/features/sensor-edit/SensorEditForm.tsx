import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { useEffect, useMemo } from "react";
import { useNavigate } from "react-router-dom";
import { SensorForm } from "../../devices/SensorForm.tsx";
import { type SensorValues, sensorFaults, sensorValuesOf, updateForm } from "../../devices/sensor-values.ts";
import { useSensorDeletion } from "../../devices/use-sensor-deletion.ts";
import { useSensorWords } from "../../devices/use-sensor-words.ts";
import { deviceName } from "../../farm/device-name.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useExtension } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { deleteSensor, updateSensor, updateSensorImage } from "../../rest/sensors.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { useErrorWords } from "../../ui/feedback/use-error-words.ts";
import { FormPage } from "../../ui/form/form-page.tsx";
import { ImageField } from "../../ui/form/image-field.tsx";
import { FormFailure } from "../../ui/form/refusal.ts";
import { useForm } from "../../ui/form/use-form.ts";
import { SensorMenu } from "./SensorMenu.tsx";

interface SensorEditFormProps {
  info: SensorInfo;
  /** Somebody has deleted it. */
  isGone: boolean;
  returnTo: string;
}

/** Edits one sensor; what others change of it meanwhile is followed. */
export function SensorEditForm({ info, isGone, returnTo }: SensorEditFormProps) {
  const { t } = useTranslation(["sensor-edit", "devices", "common"]);
  const errorWords = useErrorWords();
  const navigate = useNavigate();
  const { client } = useRest();
  const devices = useExtension("devices");
  const words = useSensorWords();
  const stored = useMemo(() => sensorValuesOf(info), [info]);
  const id = `${info.id}`;
  const deletion = useSensorDeletion(id, returnTo, deleteSensor);
  const form = useForm<SensorValues>({
    initial: stored,
    draft: `sensor ${id}`,
    rules: (values) => words.faults(sensorFaults(values, "edit")),
    conflictField: "externalId",
    conflictWords: t("devices:fault.externalTaken"),
    serverWords: words.server,
    async submit(values) {
      await updateSensor(client, id, updateForm(id, values, devices));
      if (values.image) {
        try {
          await updateSensorImage(client, id, values.image);
        } catch (error) {
          throw new FormFailure(t("imageFailed"), { image: errorWords(error) });
        }
      }
      toaster.create({ type: "success", title: t("saved") });
      await navigate(returnTo);
    },
  });
  // The map and what stands in a list of their own change nothing either.
  const fields = isGone ? { ...form, set: () => undefined } : form;
  const { follow } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follow` is made anew at every drawing
  useEffect(() => follow(stored), [stored]);

  return (
    <FormPage
      form={form}
      returnTo={returnTo}
      title={t("title")}
      note={`${deviceName(info)} · ${info.serial}`}
      actions={
        isGone ? null : (
          <SensorMenu id={id} name={deviceName(info)} serial={`${info.serial}`} deletion={deletion} />
        )
      }
      notice={
        isGone && (
          <p className="sensor-edit__gone" role="status">
            {t("deletedElsewhere")}
          </p>
        )
      }
      submit={t("common:action.save")}
      settled={deletion.state !== "none" || isGone}
      disabled={isGone}
      // As the specification wants it.
      sentByEnter={false}
    >
      <SensorForm mode="edit" form={fields} before={stored}>
        <ImageField
          label={t("photo")}
          value={form.values.image}
          current={info.imagePath}
          error={form.error("image")}
          disabled={isGone}
          onChange={(image) => fields.set("image", image)}
        />
      </SensorForm>
    </FormPage>
  );
}
