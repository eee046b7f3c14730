import { BellIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccount } from "../../api/hooks.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { LazyPopover } from "../../components/lazy-panels.tsx";
import { useEvents, useServerNow } from "../../live/hooks.ts";
import { countUnseen } from "./activity.ts";
import { countNew, newestOf, SeenNotice, useNotifications } from "./use-notifications.ts";

/** Storage key of the newest seen event's time, ISO UTC. */
const seenKey = (accountId: string | number) => `mulkko.bellSeen.${accountId}`;
/** Storage key of the newest seen notification's time, in the farm API's own format. */
const seenNoticeKey = (accountId: string | number) => `mulkko.bellSeenNotice.${accountId}`;

const loadLists = () => import("./BellLists.tsx").then(({ BellLists }) => BellLists);

/**
 * Bell with the number of new notifications and events, and a list of each. Opening it loads the
 * notifications.
 */
export function Bell() {
  const { t } = useTranslation("shell");
  const now = useServerNow();
  const events = useEvents();
  const { id } = useAccount();
  const { data, error, refetch } = useNotifications();
  const notifications = error === null ? data : null;
  const [seen, setSeen] = useState(() => localStorage.getItem(seenKey(id)));
  const [seenNotice, setSeenNotice] = useState(() => localStorage.getItem(seenNoticeKey(id)));
  const [open, setOpen] = useState(false);
  const happened = events.map(({ event }) => event);
  // A live notification is also in the reloaded list: count it once.
  const unseen =
    notifications === null
      ? countUnseen(happened, seen)
      : countUnseen(
          happened.filter(({ kind }) => kind !== "notification"),
          seen,
        ) + countNew(notifications, seenNotice);

  const toggle = (opens: boolean) => {
    setOpen(opens);
    if (opens) void refetch();
    const instant = new Date(now()).toISOString();
    localStorage.setItem(seenKey(id), instant);
    setSeen(instant);
    if (opens || notifications === null) return;
    const newest = newestOf(notifications, seenNotice);
    if (newest === null) return;
    localStorage.setItem(seenNoticeKey(id), newest);
    setSeenNotice(newest);
  };
  return (
    <SeenNotice value={seenNotice}>
      <LazyPopover
        open={open}
        onOpenChange={toggle}
        label={t("bell.title")}
        width="min(26rem, calc(100vw - 1.5rem))"
        load={loadLists}
        button={(props) => (
          <IconButton
            {...props}
            data-testid="bell"
            label={unseen > 0 ? t("bell.unread", { count: unseen }) : t("bell.title")}
            count={open ? 0 : unseen}
          >
            <BellIcon size={22} />
          </IconButton>
        )}
      />
    </SeenNotice>
  );
}
