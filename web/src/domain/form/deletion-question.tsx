import { Button } from "@chakra-ui/react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { isValveOpen, type OverValve } from "../../api/closing-first.ts";
import { type CodeTexts, useWriteFailureTexts } from "../../api/error-texts.ts";
import { acceptGone, callFailure, isUnknownOutcome } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";

interface DeletionOptions<Thing> {
  /** The call; a 404 means that the thing is already gone, which counts as success. */
  readonly remove: (rest: RestClient, thing: Thing, over: OverValve) => Promise<void>;
  /** Called after success. */
  readonly removed: (thing: Thing) => void;
  /** Sentence of a failure, before its reason; the reason alone if omitted. */
  readonly failed?: string;
  /** Meaning of error codes on this page. */
  readonly why?: CodeTexts;
}

/** Delete one thing, such as a sensor, a session or a farm, after a confirmation. */
export function useDeletion<Thing>({ remove, removed, failed = "", why }: DeletionOptions<Thing>) {
  const { client } = useRest();
  const failureTexts = useWriteFailureTexts();
  const [thing, setThing] = useState<Thing | null>(null);
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ asked, over }: { asked: Thing; over: OverValve }) =>
      remove(client, asked, over).catch(acceptGone),
    onSuccess(_, { asked }) {
      setThing(null);
      removed(asked);
    },
  });
  const open = (asked: Thing | null) => {
    reset();
    setThing(asked);
  };
  const send = (over: OverValve) => {
    if (thing !== null) mutate({ asked: thing, over });
  };
  // Without an answer it may have been this deletion too.
  const isSent = isPending || isSuccess || isUnknownOutcome(error);
  return {
    /** Thing in question; null: none. */
    thing,
    busy: isPending,
    /** True from the question on, also after success: leaving the page of the thing needs no question. */
    isSettled: thing !== null || isPending || isSuccess,
    /**
     * Return true if the thing of a page is gone by another hand. The live deletion may come before the answer
     * to the own one, which is no news (FORM-2).
     */
    goneElsewhere: (isGone: boolean): boolean => isGone && !isSent,
    /** Text of the last failure. */
    failure: error && failureTexts(failed, callFailure(error), why).trim(),
    /** Delete despite a valve that is not reported closed (CMD-15); null unless that is the failure. */
    insist: isValveOpen(error) ? () => send({ despiteOpenValve: true }) : null,
    ask: (asked: Thing) => open(asked),
    cancel: () => open(null),
    confirm: () => send({}),
  };
}
export type Deletion<Thing> = ReturnType<typeof useDeletion<Thing>>;

interface DeletionQuestionProps<Thing> {
  deletion: Deletion<Thing>;
  title: string;
  /** Default: "Delete". */
  confirmLabel?: string;
  /** Deleted objects, dependent ones included. */
  children: ReactNode;
}

/**
 * Ask before something is deleted permanently. If its valve is not reported closed, the user can delete it
 * despite the risk, which is named (CMD-15).
 */
export function DeletionQuestion<Thing>(props: DeletionQuestionProps<Thing>) {
  const { deletion, title, confirmLabel, children } = props;
  const { t } = useTranslation("common");
  return (
    <ConfirmDialog
      open={deletion.thing !== null}
      title={title}
      body={children}
      confirmLabel={confirmLabel ?? t("action.delete")}
      danger
      busy={deletion.busy}
      error={deletion.failure}
      remedy={
        deletion.insist && (
          <>
            <p>{t("openValve.risk")}</p>
            <Button variant="outline" colorPalette="red" onClick={deletion.insist}>
              {t("openValve.delete")}
            </Button>
          </>
        )
      }
      onConfirm={deletion.confirm}
      onClose={deletion.cancel}
    />
  );
}
