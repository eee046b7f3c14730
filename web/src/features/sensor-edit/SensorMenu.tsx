import { RotateCwIcon, TrashIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useExtension } from "../../api/extensions.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import type { Deletion } from "../../components/form/use-deletion.ts";
import { OverflowMenu } from "../../components/menu.tsx";
import { DeviceKeyDialog } from "../../domain/device/DeviceKeyDialog.tsx";
import { triedSensor } from "../../domain/device/device-key-text.ts";
import { SensorDeletion } from "../../domain/device/SensorDeletion.tsx";
import { useNewKey } from "./use-new-key.ts";

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
  const key = useNewKey(id);
  const newKey = { key: "key", label: t("key.action"), icon: <RotateCwIcon />, onChoose: key.ask };
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
        open={key.now.state === "asking" || key.now.state === "busy"}
        title={t("key.title")}
        body={<p>{t("key.text")}</p>}
        confirmLabel={t("key.confirm")}
        danger
        busy={key.now.state === "busy"}
        error={key.now.state === "asking" ? key.now.failure : null}
        onConfirm={key.confirm}
        onClose={key.end}
      />
      {key.now.state === "made" && (
        <DeviceKeyDialog
          made={key.now.key}
          serial={serial}
          device={triedSensor(deviceType)}
          onClose={key.end}
        />
      )}
    </>
  );
}
