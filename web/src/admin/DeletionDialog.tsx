import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { type CodeWords, useFailureWords } from "../ui/feedback/use-error-words.ts";
import { CheckIcon, MinusIcon, WarningIcon } from "../ui/icon/icons.tsx";
import { ConfirmDialog } from "../ui/overlay/confirm-dialog.tsx";
import { Modal } from "../ui/overlay/modal.tsx";
import type { BulkDeletion, BulkDeletionControl } from "./use-bulk-deletion.ts";
import "./admin-list.css";

export interface DeletionWords {
  readonly title: string;
  /** What goes, and what goes along. */
  readonly question: ReactNode;
  readonly confirmLabel: string;
  /** What of the choice stays, and why. */
  readonly note?: string | undefined;
  readonly why?: CodeWords;
}

interface DeletionDialogProps extends DeletionWords {
  deletion: BulkDeletionControl;
}

/** Names that the question lists; the others are counted. */
const NAMED = 5;

/** Asks once, naming the count; then says of each row what became of it. The page speaks the words of `admin`. */
export function DeletionDialog(props: DeletionDialogProps) {
  const { deletion, title, question, confirmLabel, note, why } = props;
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
          {note && <p className="admin-list__note">{note}</p>}
        </>
      }
      confirmLabel={confirmLabel}
      danger
      onConfirm={confirm}
      onClose={close}
    />
  );
}

const ICONS = {
  gone: <CheckIcon size={18} />,
  failed: <WarningIcon size={18} />,
  untried: <MinusIcon size={18} />,
} as const;

interface ResultsProps extends Pick<DeletionDialogProps, "why"> {
  now: Extract<BulkDeletion, { results: unknown }>;
  onClose: () => void;
}

function Results({ now, why, onClose }: ResultsProps) {
  const { rows, results, state } = now;
  const { t } = useTranslation(["admin", "common"]);
  const failureWords = useFailureWords();
  const are = (outcome: (typeof results)[number]["state"]) =>
    results.filter((result) => result.state === outcome).length;
  const done = state === "done";
  const ended = are("untried") > 0 ? "delete.stopped" : "delete.done";
  return (
    <Modal
      open
      closable={done}
      title={t(are("failed") > 0 ? "delete.someFailed" : done ? ended : "delete.busy")}
      onClose={onClose}
      actions={
        <Button data-first-focus variant={done ? "solid" : "outline"} onClick={onClose}>
          {t(done ? "common:action.close" : "delete.stop")}
        </Button>
      }
    >
      <p role="status">{t("delete.progress", { done: are("gone"), count: rows.length })}</p>
      <ul className="admin-list__results">
        {results.map((result) => (
          <li key={result.id} data-result={result.state}>
            {ICONS[result.state]}
            <span className="admin-list__result-name">{result.name}</span>
            <span>
              {result.state === "failed"
                ? `${t("delete.failed")} ${failureWords(result, why)}`
                : t(`delete.${result.state}`)}
            </span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
