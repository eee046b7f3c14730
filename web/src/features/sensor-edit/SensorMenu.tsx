import { useMutation } from "@tanstack/react-query";
import { RotateCwIcon, TrashIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorCode } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { renewDeviceKey } from "../../api/sensors.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import type { Deletion } from "../../components/form/use-deletion.ts";
import { OverflowMenu } from "../../components/menu.tsx";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import { triedSensor } from "../../domain/device/device-key-text.ts";
import { SensorDeletion } from "../../domain/device/SensorDeletion.tsx";
import { useLabels } from "../../i18n/labels.ts";

interface SensorMenuProps {
  id: string;
  name: string;
  serial: string;
  deviceType: string;
  deletion: Deletion;
}

/**
 * Menu with actions that need a confirmation: a new device key, and the deletion of the sensor with its
 * measurements.
 */
export function SensorMenu({ id, name, serial, deviceType, deletion }: SensorMenuProps) {
  const { t } = useTranslation(["sensor-edit", "devices"]);
  const devices = useExtension("devices");
  const labels = useLabels();
  const { client } = useRest();
  const [asksKey, setAsksKey] = useState(false);
  // The old key is refused from then on, and the new one is known only while it is shown.
  const renewal = useMutation({ mutationFn: () => renewDeviceKey(client, id) });
  const showKeyDialog = (shown: boolean) => {
    renewal.reset();
    setAsksKey(shown);
  };
  const newKey = {
    key: "key",
    label: t("key.action"),
    icon: <RotateCwIcon />,
    onChoose: () => showKeyDialog(true),
  };
  const remove = {
    key: "delete",
    label: t("devices:delete.action"),
    icon: <TrashIcon />,
    danger: true,
    onChoose: deletion.ask,
  };
  return (
    <>
      <OverflowMenu label={t("devices:edit.more")} actions={devices ? [newKey, remove] : [remove]} />
      <SensorDeletion name={name} deletion={deletion} />
      <ConfirmDialog
        open={asksKey && !renewal.isSuccess}
        title={t("key.title")}
        body={<p>{t("key.text")}</p>}
        confirmLabel={t("key.confirm")}
        danger
        busy={renewal.isPending}
        error={renewal.error && `${t("key.failed")} ${labels.error(errorCode(renewal.error))}`}
        onConfirm={() => renewal.mutate()}
        onClose={() => showKeyDialog(false)}
      />
      {renewal.isSuccess && (
        <DeviceKeyDialog
          made={renewal.data}
          serial={serial}
          device={triedSensor(deviceType)}
          onClose={() => showKeyDialog(false)}
        />
      )}
    </>
  );
}
