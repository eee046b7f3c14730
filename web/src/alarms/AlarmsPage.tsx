import { PageHeading } from "../components/page-heading.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { AlarmBoard } from "./AlarmBoard.tsx";

/** `/alarms`: present alarms with their actions, and past alarms. */
export function AlarmsPage() {
  const { t } = useTranslation("alarms");
  return (
    <div className="alarms-page">
      <PageHeading title={t("title")} note={t("note")} />
      <AlarmBoard />
    </div>
  );
}
