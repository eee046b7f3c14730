import { chakra } from "@chakra-ui/react";
import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useMutation } from "@tanstack/react-query";
import { RotateCwIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { newCommandId } from "../../api/commands.ts";
import { errorCode, isUnknownOutcome } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { useLastAnswer } from "../../api/queries.tsx";
import { deleteSensor, renewDeviceKey, updateSensor } from "../../api/sensors.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { deleteAction, OverflowMenu } from "../../components/menu.tsx";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import { triedSensor } from "../../domain/device/device-key-text.ts";
import { SensorDeletion, SensorForm, SensorPhoto } from "../../domain/device/SensorForm.tsx";
import { useSensorEdit } from "../../domain/device/use-sensor-edit.ts";
import { useSensorLabels } from "../../domain/device/use-sensor-texts.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import type { Deletion } from "../../domain/form/deletion-question.tsx";
import { FormPage, FormPageEmpty, FormPageLoading } from "../../domain/form/form-page.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive, useLive } from "../../live/hooks.ts";

/** Form of the sensor in `?id=`. @param returnTo the list from which it was opened */
export function SensorEditPage({ returnTo }: { returnTo: string }) {
  const [params] = useSearchParams();
  const id = params.get("id");
  if (!id) return <Navigate to={returnTo} replace />;
  return <EditedSensor key={id} id={id} returnTo={returnTo} />;
}

function EditedSensor({ id, returnTo }: { id: string; returnTo: string }) {
  const { t } = useTranslation("sensor-edit");
  const isLive = useIsLive();
  const info = useLive("sensor", id)?.info ?? null;
  // A sensor that is deleted during editing stays readable.
  const shown = useLastAnswer(info);
  if (shown) return <SensorEditForm info={shown} isDeleted={info === null && isLive} returnTo={returnTo} />;
  return (
    <UntilKnown loading={<FormPageLoading />}>
      <FormPageEmpty title={t("gone")} to={returnTo} toList={t("toList")} />
    </UntilKnown>
  );
}

/** One form at three addresses, each with its own page to return to. */
export const SensorsEditPage = () => <SensorEditPage returnTo="/sensors" />;
export const IrrigationEditPage = () => <SensorEditPage returnTo="/irrigation" />;
export const MapsEditPage = () => <SensorEditPage returnTo="/maps" />;

interface SensorEditFormProps {
  info: SensorInfo;
  /** True if the sensor is deleted, here or by another user. */
  isDeleted: boolean;
  returnTo: string;
}

/** Form of one sensor; changes by other users appear in it. */
function SensorEditForm({ info, isDeleted, returnTo }: SensorEditFormProps) {
  const { t } = useTranslation(["sensor-edit", "common"]);
  const { id, stored, form, deletion } = useSensorEdit({
    sensor: info,
    returnTo,
    mode: "edit",
    update: updateSensor,
    remove: deleteSensor,
  });
  const isGone = deletion.goneElsewhere(isDeleted);
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
      actions={isGone ? null : <SensorMenu id={id} info={info} deletion={deletion} />}
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
      settled={deletion.isSettled || isGone}
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

/**
 * Menu with actions that need a confirmation: a new device key, and the deletion of the sensor with its
 * measurements.
 */
function SensorMenu({ id, info, deletion }: { id: string; info: SensorInfo; deletion: Deletion<string> }) {
  const { t } = useTranslation(["sensor-edit", "devices"]);
  const devices = useExtension("devices");
  const labels = useLabels();
  const { client } = useRest();
  const [asksKey, setAsksKey] = useState(false);
  // One for each opened dialog: a press after a lost answer returns the key that was lost with it.
  const [onceKey, setOnceKey] = useState(newCommandId);
  // The old key is refused from then on, and the new one is known only while it is shown.
  const renewal = useMutation({ mutationFn: () => renewDeviceKey(client, id, onceKey) });
  const showKeyDialog = (shown: boolean) => {
    if (renewal.isSuccess) setOnceKey(newCommandId());
    renewal.reset();
    setAsksKey(shown);
  };
  const newKey = {
    key: "key",
    label: t("key.action"),
    icon: <RotateCwIcon />,
    onChoose: () => showKeyDialog(true),
  };
  const remove = deleteAction(t("devices:delete.action"), () => deletion.ask(id));
  return (
    <>
      <OverflowMenu label={t("devices:edit.more")} actions={devices ? [newKey, remove] : [remove]} />
      <SensorDeletion name={deviceName(info)} deletion={deletion} />
      <ConfirmDialog
        open={asksKey && !renewal.isSuccess}
        title={t("key.title")}
        body={<p>{t("key.text")}</p>}
        confirmLabel={t("key.confirm")}
        danger
        busy={renewal.isPending}
        error={
          renewal.error &&
          `${t(isUnknownOutcome(renewal.error) ? "key.unsure" : "key.failed")} ${labels.error(errorCode(renewal.error))}`
        }
        onConfirm={() => renewal.mutate()}
        onClose={() => showKeyDialog(false)}
      />
      {renewal.isSuccess && (
        <DeviceKeyDialog
          made={renewal.data}
          serial={`${info.serial ?? "--"}`}
          device={triedSensor(info.deviceType)}
          onClose={() => showKeyDialog(false)}
        />
      )}
    </>
  );
}
