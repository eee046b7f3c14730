import { useTranslation } from "react-i18next";
import { DeletionQuestion } from "../../components/form/deletion-question.tsx";
import type { Deletion } from "../../components/form/use-deletion.ts";

/** Confirm the deletion of a sensor and of all its measurements. */
export function SensorDeletion({ name, deletion }: { name: string; deletion: Deletion }) {
  const { t } = useTranslation("devices");
  return (
    <DeletionQuestion title={t("delete.title")} deletion={deletion}>
      <p>{t("delete.text", { name })}</p>
    </DeletionQuestion>
  );
}
