import { Box } from "@chakra-ui/react";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceSegments } from "../../components/choice.tsx";
import { ActivityList } from "./ActivityList.tsx";
import { BellNotifications } from "./bell-notifications.ts";
import { NotificationList } from "./NotificationList.tsx";

/** The bell's two lists: the farm API's notifications, first if some are new, and the events. */
export function BellLists({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shell");
  const { loaded, keep, fresh } = useContext(BellNotifications);
  const [list, setList] = useState<"notifications" | "activity">(fresh > 0 ? "notifications" : "activity");
  return (
    <>
      <Box p="3" borderBottomWidth="1px">
        <ChoiceSegments
          label={t("bell.title")}
          value={list}
          choices={[
            { value: "activity", label: t("bell.activity") },
            {
              value: "notifications",
              label: fresh > 0 ? t("bell.notificationsNew", { count: fresh }) : t("bell.notifications"),
            },
          ]}
          onChoose={setList}
        />
      </Box>
      <Box maxH="min(450px, 70dvh)" overflowY="auto" overscrollBehavior="contain" data-testid="bell-scroll">
        {list === "activity" ? (
          <ActivityList onGo={onClose} />
        ) : (
          <NotificationList loaded={loaded} keep={keep} />
        )}
      </Box>
    </>
  );
}
