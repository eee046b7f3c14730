import { Button } from "@chakra-ui/react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { RestClient } from "../../api/client.ts";
import { isValveOpen, type OverValve } from "../../api/closing-first.ts";
import { type CodeTexts, useErrorTexts } from "../../api/error-texts.ts";
import { acceptGone } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { toaster } from "../../components/toaster.tsx";

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

/** State of the deletion of a page's object; `done` while leaving the page. */
export interface Deletion {
  readonly state: "none" | "asking" | "busy" | "done";
  readonly failure: string | null;
  /** Delete despite a valve that is not reported closed; null unless that is the failure. */
  readonly insist: (() => void) | null;
  ask(): void;
  cancel(): void;
  confirm(): void;
}

interface DeletionOptions {
  readonly remove: (rest: RestClient, over: OverValve) => Promise<void>;
  /** The list, or the previous page. */
  readonly returnTo: string;
  readonly done: string;
  /** Text before the reason. */
  readonly failed: string;
  /** Page-specific meaning of an error code; null selects the general text. */
  readonly why?: CodeTexts;
}

/** Ask, delete the page's object and go back. */
export function useDeletion({ remove, returnTo, done, failed, why }: DeletionOptions): Deletion {
  const errorTexts = useErrorTexts();
  const navigate = useNavigate();
  const { client } = useRest();
  const [state, setState] = useState<Exclude<Deletion["state"], "busy">>("none");
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (over: OverValve) => remove(client, over).catch(acceptGone),
    onSuccess() {
      setState("done");
      toaster.create({ type: "success", title: done });
      void navigate(returnTo, { replace: true });
    },
  });
  return {
    state: isPending ? "busy" : state,
    failure: error && `${failed} ${errorTexts(error, why)}`,
    insist: isValveOpen(error) ? () => mutate({ despiteOpenValve: true }) : null,
    ask() {
      reset();
      setState("asking");
    },
    cancel: () => setState("none"),
    confirm: () => mutate({}),
  };
}
