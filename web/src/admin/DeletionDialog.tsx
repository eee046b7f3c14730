import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLabels } from "../i18n/labels.ts";
import { CheckIcon, WarningIcon } from "../ui/icon/icons.tsx";
import { ConfirmDialog } from "../ui/overlay/confirm-dialog.tsx";
import { Modal } from "../ui/overlay/modal.tsx";
import type { BulkDeletion, BulkDeletionControl } from "./use-bulk-deletion.ts";
import "./admin-list.css";

export interface DeletionWords {
  readonly title: string;
  /** What goes, and what goes along. */
  readonly question: ReactNode;
  readonly confirmLabel: string;
  /** What an error code means here; null leaves it to the general words. */
  readonly why?: (code: string) => string | null;
}

interface DeletionDialogProps extends DeletionWords {
  deletion: BulkDeletionControl;
}

/** Names that the question lists; the others are counted. */
const NAMED = 5;

/** Asks once, naming the count; then says of each row what became of it. The page speaks the words of `admin`. */
export function DeletionDialog({ deletion, title, question, confirmLabel, why }: DeletionDialogProps) {
  const { t } = useTranslation("admin");
  const { now, confirm, close } = deletion;
  if (now.state === "busy" || now.state === "done") {
    return <Results now={now} onClose={close} {...(why ? { why } : {})} />;
  }
  const rows = now.state === "asking" ? now.rows : [];
  const others = rows.length - NAMED;
  return (
    <ConfirmDialog
      open={now.state === "asking"}
      title={title}
      body={
        <>
          <p>{question}</p>
          <ul className="admin-list__names">
            {rows.slice(0, NAMED).map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {others > 0 && <li>{t("delete.others", { count: others })}</li>}
          </ul>
        </>
      }
      confirmLabel={confirmLabel}
      danger
      onConfirm={confirm}
      onClose={close}
    />
  );
}

interface ResultsProps extends Pick<DeletionDialogProps, "why"> {
  now: Extract<BulkDeletion, { results: unknown }>;
  onClose: () => void;
}

function Results({ now, why, onClose }: ResultsProps) {
  const { rows, results, state } = now;
  const { t } = useTranslation(["admin", "common"]);
  const labels = useLabels();
  const gone = results.filter(({ code }) => code === null).length;
  const failed = results.length - gone;
  const done = state === "done";
  return (
    <Modal
      open
      closable={done}
      title={t(failed > 0 ? "delete.someFailed" : done ? "delete.done" : "delete.busy")}
      onClose={onClose}
      actions={
        <Button data-first-focus variant={done ? "solid" : "outline"} onClick={onClose}>
          {t(done ? "common:action.close" : "delete.stop")}
        </Button>
      }
    >
      <p role="status">{t("delete.progress", { done: gone, count: rows.length })}</p>
      <ul className="admin-list__results">
        {results.map(({ id, name, code }) => (
          <li key={id} data-failed={code !== null || undefined}>
            {code === null ? <CheckIcon size={18} /> : <WarningIcon size={18} />}
            <span className="admin-list__result-name">{name}</span>
            <span>
              {code === null
                ? t("delete.gone")
                : `${t("delete.failed")} ${why?.(code) ?? labels.error(code)}`}
            </span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
