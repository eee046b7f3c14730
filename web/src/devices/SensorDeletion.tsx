import { useTranslation } from "../i18n/use-translation.ts";
import { DeletionQuestion } from "../ui/overlay/deletion-question.tsx";
import type { Deletion } from "../ui/overlay/use-deletion.ts";

/** Asks whether a sensor is to go, with all that it has measured. */
export function SensorDeletion({ name, deletion }: { name: string; deletion: Deletion }) {
  const { t } = useTranslation("devices");
  return (
    <DeletionQuestion title={t("delete.title")} deletion={deletion}>
      <p>{t("delete.text", { name })}</p>
    </DeletionQuestion>
  );
}
