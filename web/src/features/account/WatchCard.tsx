import { Button, Stack, Text } from "@chakra-ui/react";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchWatch, startWatching, stopWatching, WATCH } from "../../api/account.ts";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";

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
  const queries = useQueryClient();
  const { data: watch, error, refetch, isFetching } = useRestQuery(WATCH, fetchWatch);
  const [confirming, setConfirming] = useState(false);
  const change = useMutation({
    mutationFn: (to: typeof stopWatching) => to(client),
    onSuccess: (state) => queries.setQueryData(WATCH, state),
    onError: () => toaster.create({ type: "error", title: t("watch.failed") }),
  });
  const busy = change.isPending;

  if (watch === null) {
    return (
      <Card title={t("watch.title")}>
        {error === null || isFetching ? (
          <Skeleton height="5.25rem" />
        ) : (
          <Stack gap="3" align="start">
            <p>{t("watch.unknown")}</p>
            <Button variant="outline" onClick={() => void refetch()}>
              {t("common:action.retry")}
            </Button>
          </Stack>
        )}
      </Card>
    );
  }
  const isWatched = watch.by !== "nobody";
  return (
    <Card title={t("watch.title")}>
      <Stack gap="3" align="start">
        <Text
          fontWeight="semibold"
          css={{
            '&[data-watched="false"]': {
              ps: "3",
              borderStartWidth: "3px",
              borderStartStyle: "dashed",
              borderStartColor: "border.strong",
            },
          }}
          data-watched={isWatched}
        >
          {t(isWatched ? "watch.on" : "watch.off")}
        </Text>
        {!isWatched && watch.ended && <p>{t(`watch.ended.${watch.ended}`)}</p>}
        {!isWatched && <p>{t(`watch.${nextStep(watch)}`)}</p>}
        {isWatched && (
          <Button variant="outline" loading={busy} onClick={() => setConfirming(true)}>
            {t("watch.stop")}
          </Button>
        )}
        {watch.mayStart && (
          <Button loading={busy} onClick={() => change.mutate(startWatching)}>
            {t("watch.start")}
          </Button>
        )}
      </Stack>
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
        onConfirm={() => {
          setConfirming(false);
          change.mutate(stopWatching);
        }}
        onClose={() => setConfirming(false)}
      />
    </Card>
  );
}
