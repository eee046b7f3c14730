import { Button, Stack } from "@chakra-ui/react";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { CopyIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckField } from "../../components/choice.tsx";
import { Modal } from "../../components/dialog.tsx";
import { copyText } from "./copy-text.ts";
import { keyGroups, type TriedDevice, tryLine } from "./device-key-text.ts";
import "./device-key.css";

interface DeviceKeyDialogProps {
  made: DeviceKey;
  serial: string;
  /** Report format of the device; null if there is no example command for it. */
  device: TriedDevice | null;
  onClose: () => void;
}

/**
 * Show a device's key, which cannot be requested again. The dialog closes only after the user confirms that
 * it is stored.
 */
export function DeviceKeyDialog({ made, serial, device, onClose }: DeviceKeyDialogProps) {
  const { t } = useTranslation(["devices", "common"]);
  const [kept, setKept] = useState(false);
  const [copied, setCopied] = useState<"key" | "line" | "failed" | null>(null);
  const { deviceKey } = made;
  const line = device && tryLine(made, serial, device, window.location.hostname);
  const copy = async (what: "key" | "line", text: string) => {
    setCopied((await copyText(text)) ? what : "failed");
  };
  return (
    <Modal
      open
      closable={false}
      title={t("key.title")}
      onClose={onClose}
      actions={
        <Button disabled={!kept} onClick={onClose}>
          {t("key.close")}
        </Button>
      }
    >
      <p>{t("key.text", { serial })}</p>
      <Stack gap="3" align="start">
        <code className="device-key__key" data-testid="device-key">
          {keyGroups(deviceKey).map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two groups of a key may be equal
            <span key={index}>{group}</span>
          ))}
        </code>
        <Button data-autofocus size="sm" variant="outline" onClick={() => void copy("key", deviceKey)}>
          <CopyIcon />
          {t(copied === "key" ? "key.copied" : "key.copy")}
        </Button>
      </Stack>
      {line !== null && (
        <details className="device-key__try">
          <summary>{t("key.try")}</summary>
          <code>{line}</code>
          <Button size="sm" variant="outline" onClick={() => void copy("line", line)}>
            <CopyIcon />
            {t(copied === "line" ? "key.copied" : "key.copy")}
          </Button>
        </details>
      )}
      <p role="status" className={copied === "failed" ? "device-key__failed" : "visually-hidden"}>
        {copied === "failed" ? t("key.copyFailed") : copied === null ? "" : t("key.copied")}
      </p>
      <CheckField label={t("key.kept")} checked={kept} onChange={setKept} />
    </Modal>
  );
}
