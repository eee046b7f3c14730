import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ChoiceSegments } from "../../ui/form/choice-segments.tsx";
import { ActivityList } from "./ActivityList.tsx";
import { NotificationList } from "./NotificationList.tsx";

/** What the bell opens: the farm API's notifications, and what has happened. */
export function BellLists({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shell");
  const [list, setList] = useState<"notifications" | "activity">("activity");
  return (
    <>
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
        {list === "activity" ? <ActivityList onGo={onClose} /> : <NotificationList />}
      </div>
    </>
  );
}
