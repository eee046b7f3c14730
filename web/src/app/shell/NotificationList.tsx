import type { Notification } from "@mulkko/shared/entities/notification";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { DEFAULT_ZONE } from "../../farm/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLink, useServerTime } from "../../live/hooks.ts";
import { errorCode } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";
import { fetchNotifications } from "../../rest/notifications.ts";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";

type Loaded =
  | { state: "loading" }
  | { state: "there"; notifications: readonly Notification[] }
  | { state: "failed"; code: string };

/** The farm API's notifications, loaded each time the list opens. */
export function NotificationList() {
  const { t } = useTranslation("shell");
  const { error } = useLabels();
  const { client } = useRest();
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  useEffect(() => {
    const abort = new AbortController();
    fetchNotifications(client, abort.signal).then(
      (notifications) => setLoaded({ state: "there", notifications }),
      (problem: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: "failed", code: errorCode(problem) });
      },
    );
    return () => abort.abort();
  }, [client]);

  switch (loaded.state) {
    case "loading":
      return (
        <div className="bell__loading">
          <Skeleton height="2.5rem" />
          <Skeleton height="2.5rem" />
        </div>
      );
    case "failed":
      return <ErrorNote>{error(loaded.code)}</ErrorNote>;
    case "there":
      if (loaded.notifications.length === 0) return <p className="bell__empty">{t("bell.empty")}</p>;
      return (
        <ul className="bell__list">
          {loaded.notifications.map((notification) => (
            <NotificationLine
              key={`${notification.id ?? ""} ${notification.createdDate} ${notification.message}`}
              notification={notification}
            />
          ))}
        </ul>
      );
  }
}

function NotificationLine({ notification }: { notification: Notification }) {
  const { t } = useTranslation("shell");
  const { age, notificationType } = useLabels();
  const zone = useLink((link) => link.apiTimezone) ?? DEFAULT_ZONE;
  const created = createApiTimeZone(zone).toInstant(notification.createdDate);
  const minutes = useServerTime((now) => (created === null ? 0 : Math.floor((now - created) / 60_000)));
  const unread = notification.unread === true || notification.unread === 1;
  return (
    <li className="bell__line" data-noteworthy={unread || undefined}>
      <span className="bell__row">
        <span className="bell__text">
          <span className="bell__title">
            {notificationType(notification.type)}
            <span className="bell__flag">{t(unread ? "bell.new" : "bell.old")}</span>
          </span>
          <span className="bell__detail">{notification.message}</span>
        </span>
        <span className="bell__age">{age(minutes * 60_000)}</span>
      </span>
    </li>
  );
}
