import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useEvents, useServerNow } from "../../live/hooks.ts";
import { useAccount } from "../../rest/hooks.ts";
import { BellIcon } from "../../ui/icon/icons.tsx";
import { IconButton } from "../../ui/layout/icon-button.tsx";
import { LazyPopover } from "../../ui/overlay/lazy-popover.tsx";
import { countUnseen } from "./activity.ts";
import "./bell.css";

const seenKey = (accountId: string | number) => `mulkko.bellSeen.${accountId}`;

const loadLists = () => import("./BellLists.tsx").then(({ BellLists }) => BellLists);

/** The bell: how much is new, and two lists, notifications and activity. */
export function Bell() {
  const { t } = useTranslation("shell");
  const now = useServerNow();
  const events = useEvents();
  const key = seenKey(useAccount().id);
  const [seen, setSeen] = useState(() => localStorage.getItem(key));
  const [open, setOpen] = useState(false);
  const unseen = useMemo(
    () =>
      countUnseen(
        events.map(({ event }) => event),
        seen,
      ),
    [events, seen],
  );

  const toggle = useCallback(
    (opens: boolean) => {
      setOpen(opens);
      const instant = new Date(now()).toISOString();
      localStorage.setItem(key, instant);
      setSeen(instant);
    },
    [now, key],
  );
  return (
    <LazyPopover
      open={open}
      onOpenChange={toggle}
      label={t("bell.title")}
      className="bell"
      load={loadLists}
      button={(props) => (
        <IconButton
          {...props}
          label={unseen > 0 ? t("bell.unread", { count: unseen }) : t("bell.title")}
          count={open ? 0 : unseen}
        >
          <BellIcon size={22} />
        </IconButton>
      )}
    />
  );
}
