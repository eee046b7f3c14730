import { chakra } from "@chakra-ui/react";
import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useTranslation } from "react-i18next";
import { deleteSensor, updateSensor } from "../../api/sensors.ts";
import { FormPage } from "../../components/form/form-page.tsx";
import { SensorForm } from "../../domain/device/SensorForm.tsx";
import { SensorPhoto } from "../../domain/device/SensorPhoto.tsx";
import { useSensorEdit } from "../../domain/device/use-sensor-edit.ts";
import { useSensorLabels } from "../../domain/device/use-sensor-words.ts";
import { SensorMenu } from "./SensorMenu.tsx";

interface SensorEditFormProps {
  info: SensorInfo;
  /** True if another user has deleted the sensor. */
  isGone: boolean;
  returnTo: string;
}

/** Form of one sensor; changes by other users appear in it. */
export function SensorEditForm({ info, isGone, returnTo }: SensorEditFormProps) {
  const { t } = useTranslation(["sensor-edit", "common"]);
  const { id, stored, form, deletion } = useSensorEdit({
    sensor: info,
    returnTo,
    mode: "edit",
    update: updateSensor,
    remove: deleteSensor,
  });
  // The map and the selects must not change values either.
  const fields = isGone ? { ...form, set: () => undefined } : form;
  const labels = useSensorLabels();
  return (
    <FormPage
      form={form}
      labels={labels}
      returnTo={returnTo}
      title={t("title")}
      note={`${deviceName(info)} · ${info.serial ?? "--"}`}
      actions={
        isGone ? null : (
          <SensorMenu
            id={id}
            name={deviceName(info)}
            serial={`${info.serial ?? "--"}`}
            deviceType={info.deviceType}
            deletion={deletion}
          />
        )
      }
      notice={
        isGone && (
          <chakra.p
            py="3"
            px="4"
            borderWidth="1px"
            borderStyle="dashed"
            borderColor="border.strong"
            rounded="card"
            bg="bg.sunk"
            role="status"
          >
            {t("deletedElsewhere")}
          </chakra.p>
        )
      }
      submit={t("common:action.save")}
      settled={deletion.state !== "none" || isGone}
      disabled={isGone}
      // As the specification requires.
      sentByEnter={false}
    >
      <SensorForm mode="edit" form={fields} before={stored}>
        <SensorPhoto sensor={info} form={fields} disabled={isGone} />
      </SensorForm>
    </FormPage>
  );
}
