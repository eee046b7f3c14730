import { useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm } from "../../api/alarms.ts";
import { useClient } from "../../api/hooks.ts";

/** Acknowledge an alarm: the only action of a screen, if its pairing allows it. */
export function AcknowledgeButton({ id }: { id: string }) {
  const { t } = useTranslation("wall");
  const client = useClient();
  const [state, setState] = useState<"idle" | "sending" | "failed">("idle");
  const press = async () => {
    setState("sending");
    try {
      await acknowledgeAlarm(client, id, "");
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  return (
    <>
      {state === "failed" && <span role="alert">{t("alarms.failed")}</span>}
      <button
        type="button"
        className="wall-button"
        disabled={state === "sending"}
        onClick={() => void press()}
      >
        {t("alarms.acknowledge")}
      </button>
    </>
  );
}
