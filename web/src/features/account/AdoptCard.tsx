import { Button } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { CheckField } from "../../components/choice.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useRest } from "../../rest/hooks.ts";
import { adoptExternal, fetchSettings } from "../../rest/settings.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { Card } from "../../ui/layout/card.tsx";

/**
 * Switch for RUN-3: the relay closes openings made at the controller at the hard cap. Shows the relay's
 * setting.
 */
export function AdoptCard() {
  const { t } = useTranslation(["account", "common"]);
  const { client } = useRest();
  const [asked, setAsked] = useState(0);
  const [adopts, setAdopts] = useState<boolean | "asking" | "unknown">("asking");
  const [busy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `asked` loads again
  useEffect(() => {
    const abort = new AbortController();
    fetchSettings(client, abort.signal).then(
      (settings) => setAdopts(settings.adoptExternal),
      () => {
        if (!abort.signal.aborted) setAdopts("unknown");
      },
    );
    return () => abort.abort();
  }, [client, asked]);
  if (adopts === "asking") {
    return (
      <Card title={t("adopt.title")}>
        <Skeleton height="4.5rem" />
      </Card>
    );
  }
  // Make no claim before the relay has answered.
  if (adopts === "unknown") {
    return (
      <Card title={t("adopt.title")}>
        <div className="account__watch">
          <p>{t("adopt.unknown")}</p>
          <Button
            variant="outline"
            onClick={() => {
              setAdopts("asking");
              setAsked((count) => count + 1);
            }}
          >
            {t("common:action.retry")}
          </Button>
        </div>
      </Card>
    );
  }
  const change = async (adopt: boolean) => {
    setBusy(true);
    try {
      setAdopts((await adoptExternal(client, adopt)).adoptExternal);
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
        onChange={(adopt) => void change(adopt)}
      />
    </Card>
  );
}
