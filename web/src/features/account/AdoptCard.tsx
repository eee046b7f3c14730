import { Button, Stack } from "@chakra-ui/react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { adoptExternal, fetchSettings } from "../../api/settings.ts";
import { Card } from "../../components/card.tsx";
import { CheckField } from "../../components/choice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";

/** Key of the setting as this page has read it: the settings of other pages may be older. */
const ADOPTION = ["adoption"];

/**
 * Switch for RUN-3: the relay closes openings made at the controller at the hard cap. Shows the relay's
 * setting.
 */
export function AdoptCard() {
  const { t } = useTranslation(["account", "common"]);
  const { client } = useRest();
  const queries = useQueryClient();
  const { data: settings, error, refetch, isFetching } = useRestQuery(ADOPTION, fetchSettings);
  const { mutate, isPending } = useMutation({
    mutationFn: (adopt: boolean) => adoptExternal(client, adopt),
    onSuccess: (saved) => queries.setQueryData(ADOPTION, saved),
    onError: () => toaster.create({ type: "error", title: t("adopt.failed") }),
  });
  if (settings === null) {
    return (
      <Card title={t("adopt.title")}>
        {/* Make no claim before the relay has answered. */}
        {error === null || isFetching ? (
          <Skeleton height="4.5rem" />
        ) : (
          <Stack gap="3" align="start">
            <p>{t("adopt.unknown")}</p>
            <Button variant="outline" onClick={() => void refetch()}>
              {t("common:action.retry")}
            </Button>
          </Stack>
        )}
      </Card>
    );
  }
  return (
    <Card title={t("adopt.title")}>
      <CheckField
        look="switch"
        label={t("adopt.label")}
        hint={t("adopt.hint")}
        checked={settings.adoptExternal}
        disabled={isPending}
        onChange={(adopt) => mutate(adopt)}
      />
    </Card>
  );
}
