import { Button, Stack } from "@chakra-ui/react";
import type { TrashedUser } from "@mulkko/shared/rest/admin-user";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useEffect, useState } from "react";
import { Card } from "../../components/card.tsx";
import { toaster } from "../../components/toaster.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { DEFAULT_ZONE, useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { fetchTrash, restoreUser } from "../../rest/admin-users.ts";
import { useApiZone, useExtension } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";

interface TrashListProps {
  /** A new list value reloads the trash. */
  listed: unknown;
  onRestored: () => void;
}

/**
 * List deleted accounts with their final dates and let the administrator restore them; nothing if there are
 * none.
 */
export function TrashList({ listed, onRestored }: TrashListProps) {
  const { t } = useTranslation("admin-users");
  const { client } = useRest();
  const errorWords = useErrorWords();
  const times = useTimeWords();
  const zone = createApiTimeZone(useApiZone() ?? DEFAULT_ZONE);
  const offers = useExtension("trash");
  const [users, setUsers] = useState<readonly TrashedUser[]>([]);
  const [busy, setBusy] = useState<TrashedUser["id"] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `listed` means that accounts may have been added or deleted
  useEffect(() => {
    if (!offers) return;
    const abort = new AbortController();
    fetchTrash(client, abort.signal).then(setUsers, (error: unknown) => {
      if (!abort.signal.aborted) toaster.create({ type: "error", title: errorWords(error) });
    });
    return () => abort.abort();
  }, [client, offers, listed]);
  const restore = async (user: TrashedUser) => {
    setBusy(user.id);
    try {
      await restoreUser(client, user.id);
      setUsers((now) => now.filter(({ id }) => id !== user.id));
      toaster.create({ type: "success", title: t("trash.restored", { name: user.username }) });
      onRestored();
    } catch (error) {
      toaster.create({ type: "error", title: `${t("trash.failed")} ${errorWords(error)}` });
    } finally {
      setBusy(null);
    }
  };
  const day = (text: string): string => {
    const instant = zone.toInstant(text);
    return instant === null ? text : times.isoDay(instant);
  };
  if (users.length === 0) return null;
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
              loading={busy === user.id}
              aria-label={t("trash.restoreNamed", { name: user.username })}
              onClick={() => void restore(user)}
            >
              {t("trash.restore")}
            </Button>
          </li>
        ))}
      </Stack>
    </Card>
  );
}
