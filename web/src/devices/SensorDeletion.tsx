import { useTranslation } from "../i18n/use-translation.ts";
import { DeletionQuestion } from "../ui/overlay/deletion-question.tsx";
import type { Deletion } from "../ui/overlay/use-deletion.ts";

/** Confirm the deletion of a sensor and of all its measurements. */
export function SensorDeletion({ name, deletion }: { name: string; deletion: Deletion }) {
  const { t } = useTranslation("devices");
  return (
    <DeletionQuestion title={t("delete.title")} deletion={deletion}>
      <p>{t("delete.text", { name })}</p>
    </DeletionQuestion>
  );
}
