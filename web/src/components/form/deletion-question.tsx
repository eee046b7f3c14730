import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../dialog.tsx";
import { DespiteOpenValve } from "./despite-open-valve.tsx";
import type { Deletion } from "./use-deletion.ts";

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
