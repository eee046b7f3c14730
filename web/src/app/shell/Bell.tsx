import { Popover, Portal } from "@chakra-ui/react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useEvents, useServerNow } from "../../live/hooks.ts";
import { useAccount } from "../../rest/hooks.ts";
import { ChoiceSegments } from "../../ui/form/choice-segments.tsx";
import { BellIcon } from "../../ui/icon/icons.tsx";
import { IconButton } from "../../ui/layout/icon-button.tsx";
import { ActivityList } from "./ActivityList.tsx";
import { countUnseen } from "./activity.ts";
import { NotificationList } from "./NotificationList.tsx";
import "./bell.css";

const seenKey = (accountId: string | number) => `mulkko.bellSeen.${accountId}`;

/** The bell: how much is new, and two lists, notifications and activity. */
export function Bell() {
  const { t } = useTranslation("shell");
  const now = useServerNow();
  const events = useEvents();
  const key = seenKey(useAccount().id);
  const [seen, setSeen] = useState(() => localStorage.getItem(key));
  const [open, setOpen] = useState(false);
  const [list, setList] = useState<"notifications" | "activity">("activity");
  const unseen = useMemo(
    () =>
      countUnseen(
        events.map(({ event }) => event),
        seen,
      ),
    [events, seen],
  );

  const toggle = (opens: boolean) => {
    setOpen(opens);
    const instant = new Date(now()).toISOString();
    localStorage.setItem(key, instant);
    setSeen(instant);
  };
  return (
    <Popover.Root
      open={open}
      onOpenChange={({ open: opens }) => toggle(opens)}
      positioning={{ placement: "bottom-end" }}
      lazyMount
      unmountOnExit
    >
      <Popover.Trigger asChild>
        <IconButton
          label={unseen > 0 ? t("bell.unread", { count: unseen }) : t("bell.title")}
          count={open ? 0 : unseen}
        >
          <BellIcon size={22} />
        </IconButton>
      </Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content className="bell" aria-label={t("bell.title")}>
            <div className="bell__head">
              <ChoiceSegments
                label={t("bell.title")}
                value={list}
                choices={[
                  { value: "activity", label: t("bell.activity") },
                  { value: "notifications", label: t("bell.notifications") },
                ]}
                onChoose={setList}
              />
            </div>
            <div className="bell__scroll">
              {list === "activity" ? <ActivityList onGo={() => toggle(false)} /> : <NotificationList />}
            </div>
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  );
}
