import { Button, Stack } from "@chakra-ui/react";
import type { TrashedUser } from "@mulkko/shared/rest/admin-user";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ALL_USERS, fetchTrash, restoreUser } from "../../api/admin-users.ts";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Card } from "../../components/card.tsx";
import { toaster } from "../../components/toaster.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { DEFAULT_ZONE, useTimeWords } from "../../domain/time/use-time-words.ts";

/**
 * List deleted accounts with their final dates and let the administrator restore them; nothing if there are
 * none. It is loaded again with the list of accounts.
 */
export function TrashList() {
  const { t } = useTranslation("admin-users");
  const { client } = useRest();
  const errorWords = useErrorWords();
  const times = useTimeWords();
  const zone = createApiTimeZone(useApiZone() ?? DEFAULT_ZONE);
  const offers = useExtension("trash");
  const queries = useQueryClient();
  const { data: users, error } = useRestQuery([ALL_USERS.path, "trash"], fetchTrash, { enabled: offers });
  useEffect(() => {
    if (error !== null) toaster.create({ type: "error", title: errorWords(error) });
  }, [error, errorWords]);
  const restoring = useMutation({
    mutationFn: (user: TrashedUser) => restoreUser(client, user.id),
    onSuccess(_, user) {
      toaster.create({ type: "success", title: t("trash.restored", { name: user.username }) });
      return queries.invalidateQueries({ queryKey: [ALL_USERS.path] });
    },
    onError: (failure) =>
      toaster.create({ type: "error", title: `${t("trash.failed")} ${errorWords(failure)}` }),
  });
  const day = (text: string): string => {
    const instant = zone.toInstant(text);
    return instant === null ? text : times.isoDay(instant);
  };
  if (users === null || users.length === 0) return null;
  return (
    <Card title={t("trash.title")}>
      <Stack
        as="ul"
        gap="2"
        css={{
          "& > li": {
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            justifyContent: "space-between",
            rowGap: "1",
            columnGap: "4",
            overflowWrap: "anywhere",
          },
        }}
      >
        {users.map((user) => (
          <li key={user.id}>
            <span>
              <strong>{user.nickname ? `${user.nickname} (${user.username})` : user.username}</strong>{" "}
              {t("trash.devices", { count: user.deviceCount })} ·{" "}
              {t("trash.until", { day: day(user.purgeDate) })}
            </span>
            <Button
              size="sm"
              variant="outline"
              loading={restoring.isPending && restoring.variables.id === user.id}
              aria-label={t("trash.restoreNamed", { name: user.username })}
              onClick={() => restoring.mutate(user)}
            >
              {t("trash.restore")}
            </Button>
          </li>
        ))}
      </Stack>
    </Card>
  );
}
