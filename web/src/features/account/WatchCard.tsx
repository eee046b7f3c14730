import { Button } from "@chakra-ui/react";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useRest } from "../../rest/hooks.ts";
import { fetchWatch, startWatching, stopWatching } from "../../rest/watch.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { Card } from "../../ui/layout/card.tsx";

/** Return the text key of what makes the relay watch again. */
function nextStep({ mayStart, ended }: WatchState): "mayStart" | "tryAgain" | "signInAgain" {
  if (mayStart) return "mayStart";
  // A farm API with one session per account ends the relay's own at each sign-in.
  return ended === "refused" ? "tryAgain" : "signInAgain";
}

/**
 * Show that the relay watches the farm while the user is signed out, and let the user stop it (CRED-1). Make
 * no claim before the relay has answered.
 */
export function WatchCard() {
  const { t } = useTranslation(["account", "common"]);
  const { client } = useRest();
  const [asked, setAsked] = useState(0);
  const [watch, setWatch] = useState<WatchState | "asking" | "unknown">("asking");
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `asked` loads again
  useEffect(() => {
    const asking = new AbortController();
    fetchWatch(client, asking.signal).then(setWatch, () => {
      if (!asking.signal.aborted) setWatch("unknown");
    });
    return () => asking.abort();
  }, [client, asked]);

  const change = async (to: typeof stopWatching): Promise<void> => {
    setConfirming(false);
    setBusy(true);
    try {
      setWatch(await to(client));
    } catch {
      toaster.create({ type: "error", title: t("watch.failed") });
    } finally {
      setBusy(false);
    }
  };

  if (watch === "asking") {
    return (
      <Card title={t("watch.title")}>
        <Skeleton height="5.25rem" />
      </Card>
    );
  }
  if (watch === "unknown") {
    return (
      <Card title={t("watch.title")}>
        <div className="account__watch">
          <p>{t("watch.unknown")}</p>
          <Button
            variant="outline"
            onClick={() => {
              setWatch("asking");
              setAsked((count) => count + 1);
            }}
          >
            {t("common:action.retry")}
          </Button>
        </div>
      </Card>
    );
  }
  const isWatched = watch.by !== "nobody";
  return (
    <Card title={t("watch.title")}>
      <div className="account__watch">
        <p className="account__watch-state" data-watched={isWatched}>
          {t(isWatched ? "watch.on" : "watch.off")}
        </p>
        {!isWatched && watch.ended && <p>{t(`watch.ended.${watch.ended}`)}</p>}
        {!isWatched && <p>{t(`watch.${nextStep(watch)}`)}</p>}
        {isWatched && (
          <Button variant="outline" loading={busy} onClick={() => setConfirming(true)}>
            {t("watch.stop")}
          </Button>
        )}
        {watch.mayStart && (
          <Button loading={busy} onClick={() => void change(startWatching)}>
            {t("watch.start")}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={confirming}
        title={t("watch.confirm.title")}
        body={
          <>
            <p>{t("watch.confirm.body")}</p>
            <p>{t(watch.by === "sign-in" ? "watch.confirm.untilSignIn" : "watch.confirm.untilStart")}</p>
          </>
        }
        confirmLabel={t("watch.confirm.stop")}
        danger
        onConfirm={() => void change(stopWatching)}
        onClose={() => setConfirming(false)}
      />
    </Card>
  );
}
