import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRest } from "../../rest/hooks.ts";
import { adoptExternal, fetchSettings } from "../../rest/settings.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { CheckField } from "../../ui/form/check-field.tsx";
import { Card } from "../../ui/layout/card.tsx";

/** Whether what somebody opens at the controller is closed at the hard cap (RUN-3). Shown as the relay holds it. */
export function AdoptCard() {
  const { t } = useTranslation("account");
  const { client } = useRest();
  const [adopts, setAdopts] = useState<boolean | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    fetchSettings(client, abort.signal).then(
      (settings) => setAdopts(settings.adoptExternal),
      // Nothing is claimed of what the relay has not said.
      () => undefined,
    );
    return () => abort.abort();
  }, [client]);
  if (adopts === null) return null;
  const change = async (wish: boolean) => {
    setBusy(true);
    try {
      setAdopts((await adoptExternal(client, wish)).adoptExternal);
    } catch {
      toaster.create({ type: "error", title: t("adopt.failed") });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={t("adopt.title")}>
      <CheckField
        look="switch"
        label={t("adopt.label")}
        hint={t("adopt.hint")}
        checked={adopts}
        disabled={busy}
        onChange={(wish) => void change(wish)}
      />
    </Card>
  );
}
