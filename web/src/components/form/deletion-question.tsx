import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../dialog.tsx";
import type { Deletion } from "./use-deletion.ts";

/** Let the user delete a device or channel whose valve is not reported closed, and name the risk (CMD-15). */
export function DespiteOpenValve({ onDelete }: { onDelete: () => void }) {
  const { t } = useTranslation("common");
  return (
    <>
      <p>{t("openValve.risk")}</p>
      <Button variant="outline" colorPalette="red" onClick={onDelete}>
        {t("openValve.delete")}
      </Button>
    </>
  );
}

interface DeletionQuestionProps {
  title: string;
  deletion: Deletion;
  /** The objects to be deleted, dependent ones included. */
  children: ReactNode;
}

/** Ask before the page's object is deleted permanently. */
export function DeletionQuestion({ title, deletion, children }: DeletionQuestionProps) {
  const { t } = useTranslation("common");
  return (
    <ConfirmDialog
      open={deletion.state === "asking" || deletion.state === "busy"}
      title={title}
      body={children}
      confirmLabel={t("action.delete")}
      danger
      busy={deletion.state === "busy"}
      error={deletion.failure}
      remedy={deletion.insist && <DespiteOpenValve onDelete={deletion.insist} />}
      onConfirm={deletion.confirm}
      onClose={deletion.cancel}
    />
  );
}
