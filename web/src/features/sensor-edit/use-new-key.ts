import type { DeviceKey } from "@mulkko/shared/rest/sensor";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorCode } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { renewDeviceKey } from "../../api/sensors.ts";
import { useLabels } from "../../i18n/labels.ts";

/** Progress of a new device key; `made` contains the key while it is shown. */
export type NewKeyState =
  | { readonly state: "none" }
  | { readonly state: "asking"; readonly failure: string | null }
  | { readonly state: "busy" }
  | { readonly state: "made"; readonly key: DeviceKey };

export interface NewKey {
  readonly now: NewKeyState;
  ask(): void;
  /** Close the confirmation or the key. */
  end(): void;
  confirm(): void;
}

/** Issue a new device key after a confirmation. The old key is refused from then on. */
export function useNewKey(id: string): NewKey {
  const { t } = useTranslation("sensor-edit");
  const labels = useLabels();
  const { client } = useRest();
  const [now, setNow] = useState<NewKeyState>({ state: "none" });
  const run = async () => {
    setNow({ state: "busy" });
    try {
      setNow({ state: "made", key: await renewDeviceKey(client, id) });
    } catch (error) {
      setNow({ state: "asking", failure: `${t("key.failed")} ${labels.error(errorCode(error))}` });
    }
  };
  return {
    now,
    ask: () => setNow({ state: "asking", failure: null }),
    end: () => setNow({ state: "none" }),
    confirm: () => void run(),
  };
}
