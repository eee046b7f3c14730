import { useMemo } from "react";
import { useNavigate } from "react-router-dom";
import { SensorDeletion } from "../../devices/SensorDeletion.tsx";
import { SensorForm } from "../../devices/SensorForm.tsx";
import { type SensorValues, sensorFaults, sensorValuesOf, updateForm } from "../../devices/sensor-values.ts";
import { useSensorDeletion } from "../../devices/use-sensor-deletion.ts";
import { useSensorWords } from "../../devices/use-sensor-words.ts";
import { deviceName } from "../../farm/device-name.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ReadAsButton } from "../../reading/ReadAsButton.tsx";
import { deleteAnySensor, type OwnedSensor, updateAnySensor } from "../../rest/admin-sensors.ts";
import { useExtension } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { updateSensorImage } from "../../rest/sensors.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { useErrorWords } from "../../ui/feedback/use-error-words.ts";
import { FormPage } from "../../ui/form/form-page.tsx";
import { ImageField } from "../../ui/form/image-field.tsx";
import { FormFailure } from "../../ui/form/refusal.ts";
import { TextField } from "../../ui/form/text-field.tsx";
import { useForm } from "../../ui/form/use-form.ts";
import { TrashIcon } from "../../ui/icon/icons.tsx";
import { OverflowMenu } from "../../ui/overlay/overflow-menu.tsx";
import { useFarmsOf } from "./use-farms-of.ts";

interface AdminSensorFormProps {
  sensor: OwnedSensor;
  returnTo: string;
}

/** Edits one sensor of any account, its serial too. */
export function AdminSensorForm({ sensor, returnTo }: AdminSensorFormProps) {
  const { t } = useTranslation(["admin-sensor", "common", "devices"]);
  const errorWords = useErrorWords();
  const navigate = useNavigate();
  const { client } = useRest();
  const devices = useExtension("devices");
  const words = useSensorWords();
  const stored = useMemo(() => sensorValuesOf(sensor), [sensor]);
  const id = `${sensor.id}`;
  const deletion = useSensorDeletion(id, returnTo, deleteAnySensor);
  const form = useForm<SensorValues>({
    initial: stored,
    draft: `any sensor ${id}`,
    rules: (values) => words.faults(sensorFaults(values, "correct")),
    conflictField: "serial",
    conflictWords: t("devices:fault.serialTaken"),
    serverWords: words.server,
    async submit(values) {
      await updateAnySensor(client, updateForm(id, values, devices));
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
  const known = sensor.clusters ?? [];
  const ownerId = sensor.userId === null || sensor.userId === undefined ? null : `${sensor.userId}`;
  const farms = useFarmsOf(
    ownerId,
    form.values.clusterId,
    known.map(({ id: farm, name }) => ({ id: `${farm}`, name: name ?? `${farm}` })),
  );
  const name = deviceName(sensor);
  const owner = sensor.username ?? "";
  return (
    <>
      <FormPage
        form={form}
        returnTo={returnTo}
        title={t("title")}
        note={owner === "" ? name : t("of", { name, owner })}
        actions={
          <>
            {ownerId !== null && <ReadAsButton account={{ id: ownerId, name: owner || ownerId }} />}
            <OverflowMenu
              label={t("more")}
              actions={[
                {
                  key: "delete",
                  label: t("devices:delete.action"),
                  icon: <TrashIcon />,
                  danger: true,
                  onChoose: deletion.ask,
                },
              ]}
            />
          </>
        }
        submit={t("common:action.save")}
        settled={deletion.state !== "none"}
      >
        <SensorForm mode="correct" form={form} before={stored} farms={farms}>
          <ImageField
            label={t("photo")}
            value={form.values.image}
            current={sensor.imagePath}
            error={form.error("image")}
            onChange={(image) => form.set("image", image)}
          />
          <TextField label={t("id")} name="id" value={id} readOnly />
        </SensorForm>
      </FormPage>
      <SensorDeletion name={name} deletion={deletion} />
    </>
  );
}
