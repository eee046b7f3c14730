import { Badge, Button, Stack } from "@chakra-ui/react";
import type { Notification } from "@mulkko/shared/entities/notification";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { CheckIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorCode } from "../../api/errors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { readNotifications } from "../../api/notifications.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DEFAULT_ZONE } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLink, useServerTime } from "../../live/hooks.ts";
import { BellLine, BellNone } from "./bell-line.tsx";
import { afterReading, isUnread, readableIds } from "./read-notifications.ts";
import type { Notifications } from "./use-notifications.ts";

/** Viewing time after which an unread notification counts as read, ms. */
export const READ_AFTER_MS = 3_000;

type NotificationListProps = Pick<Notifications, "loaded" | "keep">;

/** List the farm API's notifications in its order, newest first. */
export function NotificationList({ loaded, keep }: NotificationListProps) {
  const { t } = useTranslation("shell");
  const { error } = useLabels();
  switch (loaded.state) {
    case "loading":
      return (
        <Stack gap="3" px="4" py="6">
          <Skeleton height="2.5rem" />
          <Skeleton height="2.5rem" />
        </Stack>
      );
    case "failed":
      return <ErrorNote>{error(loaded.code)}</ErrorNote>;
    case "there":
      if (loaded.notifications.length === 0) return <BellNone>{t("bell.empty")}</BellNone>;
      return <Lines notifications={loaded.notifications} onRead={keep} />;
  }
}

interface LinesProps {
  notifications: readonly Notification[];
  onRead: (notifications: readonly Notification[]) => void;
}

/** List notifications and report them as read after a while; until the list reopens they stay marked new. */
function Lines({ notifications, onRead }: LinesProps) {
  const { t } = useTranslation("shell");
  const { error } = useLabels();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const mayRead = useExtension("noti-read") && !readOnly;
  const [failure, setFailure] = useState<string | null>(null);
  const ids = mayRead ? readableIds(notifications) : [];
  const wanted = ids.join();
  useEffect(() => {
    if (wanted === "") return;
    const looked = wanted.split(",").map(Number);
    const timer = setTimeout(() => {
      // Not a user action: a failure is retried the next time that the list opens.
      readNotifications(client, looked).catch(() => undefined);
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, wanted]);

  const readAll = () => {
    setFailure(null);
    readNotifications(client, ids).then(
      () => onRead(afterReading(notifications, ids)),
      (problem: unknown) => setFailure(errorCode(problem)),
    );
  };
  return (
    <>
      {failure !== null && <ErrorNote>{error(failure)}</ErrorNote>}
      {ids.length > 0 && (
        <Button
          variant="ghost"
          justifyContent="flex-start"
          w="full"
          px="3.5"
          borderWidth="0 0 1px"
          borderColor="border"
          rounded="none"
          textStyle="body"
          fontWeight="medium"
          focusVisibleRing="inside"
          onClick={readAll}
        >
          <CheckIcon />
          {t("bell.readAll", { count: ids.length })}
        </Button>
      )}
      <ul aria-label={t("bell.notifications")}>
        {notifications.map((notification) => (
          <NotificationLine
            key={`${notification.id ?? ""} ${notification.createdDate} ${notification.message}`}
            notification={notification}
          />
        ))}
      </ul>
    </>
  );
}

function NotificationLine({ notification }: { notification: Notification }) {
  const { t } = useTranslation("shell");
  const { notificationType } = useLabels();
  const zone = useLink((link) => link.apiTimezone) ?? DEFAULT_ZONE;
  const created = createApiTimeZone(zone).toInstant(notification.createdDate);
  const minutes = useServerTime((now) => (created === null ? 0 : Math.floor((now - created) / 60_000)));
  const unread = isUnread(notification);
  return (
    <BellLine
      title={
        <>
          {notificationType(notification.type)}
          <Badge
            {...(unread ? { variant: "solid" } : { variant: "outline", color: "fg.muted" })}
            ms="2"
            px="0.4rem"
            rounded="full"
            fontSize="0.6875rem"
            fontWeight="semibold"
          >
            {t(unread ? "bell.new" : "bell.old")}
          </Badge>
        </>
      }
      detail={notification.message}
      age={minutes * 60_000}
      noteworthy={unread}
    />
  );
}
