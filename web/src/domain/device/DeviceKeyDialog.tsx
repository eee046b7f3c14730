import { Button, chakra, Stack, Text } from "@chakra-ui/react";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { CheckIcon, CopyIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchSetup, SETUP } from "../../api/account.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { CheckField } from "../../components/choice.tsx";
import { Modal } from "../../components/dialog.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { connectionOf, keyGroups, type TriedDevice, tryLine } from "./device-key-text.ts";

/** A key that is shown once. */
export interface MadeKey {
  readonly made: DeviceKey;
  readonly serial: string;
  /** Report format of the device; null if there is no example command for it. */
  readonly device: TriedDevice | null;
}

const CODE = {
  display: "grid",
  py: "3",
  rounded: "card",
  bg: "bg.sunk",
  fontFamily: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
} as const;

const SETTINGS = {
  display: "grid",
  "& > div": { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: "3", minH: "12" },
  "& dt": { flex: "0 0 6rem", color: "fg.muted" },
  "& dd": {
    display: "flex",
    flex: "1",
    alignItems: "center",
    gap: "1",
    minW: "9rem",
  },
  // A long topic breaks; its button stays in the dialog.
  "& dd > span": { minW: "0" },
  "& code": { overflowWrap: "anywhere" },
};

/** Settings of the device's firmware, copied one by one. */
const PARTS = ["broker", "user", "topic"] as const;

/** Text of the dialog that can be copied. */
type Copied = "key" | "line" | (typeof PARTS)[number];

/**
 * Show a device's key, which cannot be requested again. The dialog closes only after the user confirms that
 * it is stored.
 */
export function DeviceKeyDialog({ made, serial, device, onClose }: MadeKey & { onClose: () => void }) {
  const { t } = useTranslation(["devices", "common"]);
  const [kept, setKept] = useState(false);
  const [copied, setCopied] = useState<Copied | "failed" | null>(null);
  // DEMO-1: the accounts of the demo are not for a farm of one's own.
  const { data: setup } = useRestQuery(SETUP, fetchSetup);
  const { deviceKey } = made;
  const connection = device && connectionOf(made, serial, device, window.location.hostname);
  const line = device && tryLine(made, serial, device, window.location.hostname);
  const copy = async (what: Copied, text: string) => {
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
        <chakra.code
          css={CODE}
          gridTemplateColumns="repeat(4, auto)"
          gap="0.25rem 0.875rem"
          px="4"
          fontSize="1.125rem"
          letterSpacing="0.04em"
          userSelect="all"
          data-testid="device-key"
        >
          {keyGroups(deviceKey).map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two groups of a key may be equal
            <span key={index}>{group}</span>
          ))}
        </chakra.code>
        <Button data-autofocus size="sm" variant="outline" onClick={() => void copy("key", deviceKey)}>
          <CopyIcon />
          {t(copied === "key" ? "key.copied" : "key.copy")}
        </Button>
      </Stack>
      {connection && (
        <chakra.dl css={SETTINGS} data-testid="device-connection">
          {PARTS.map((name) => (
            <div key={name}>
              <dt>{t(`key.${name}`)}</dt>
              <dd>
                <span>
                  <chakra.code userSelect="all">{connection[name]}</chakra.code>
                  {name === "broker" && connection.tls && " · TLS"}
                </span>
                <IconButton
                  label={t(copied === name ? "key.copied" : "key.copyPart", { part: t(`key.${name}`) })}
                  onClick={() => void copy(name, connection[name])}
                >
                  {copied === name ? <CheckIcon /> : <CopyIcon />}
                </IconButton>
              </dd>
            </div>
          ))}
          <div>
            <dt>{t("key.password")}</dt>
            <dd>{t("key.passwordIsKey")}</dd>
          </div>
        </chakra.dl>
      )}
      {line !== null && (
        <details>
          <chakra.summary minH="12" py="3" cursor="pointer">
            {t("key.try")}
          </chakra.summary>
          <chakra.code css={CODE} mb="2.5" px="3" fontSize="0.8125rem" overflowWrap="anywhere">
            {line}
          </chakra.code>
          <Button size="sm" variant="outline" onClick={() => void copy("line", line)}>
            <CopyIcon />
            {t(copied === "line" ? "key.copied" : "key.copy")}
          </Button>
        </details>
      )}
      {setup?.demo && <Text color="fg.muted">{t("key.demo")}</Text>}
      <Text role="status" color="alarm.p1.fg" className={copied === "failed" ? "" : "visually-hidden"}>
        {copied === "failed" ? t("key.copyFailed") : copied === null ? "" : t("key.copied")}
      </Text>
      <CheckField label={t("key.kept")} checked={kept} onChange={setKept} />
    </Modal>
  );
}

/**
 * Copy text to the clipboard. A page served over plain HTTP, as in a farm's own network, has no Clipboard
 * API. There the text is copied through a selection.
 *
 * @returns false if the browser allows neither
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Select it as a page's text, not in a field: an open dialog does not give up the focus. */
function copyBySelection(text: string): boolean {
  const shown = document.createElement("pre");
  shown.className = "visually-hidden";
  shown.style.whiteSpace = "pre";
  shown.textContent = text;
  document.body.append(shown);
  const selection = window.getSelection();
  selection?.selectAllChildren(shown);
  const done = document.execCommand("copy");
  selection?.removeAllRanges();
  shown.remove();
  return done;
}
