import { Button, chakra, Stack, Text } from "@chakra-ui/react";
import { CheckIcon, MinusIcon, TriangleAlertIcon } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { type CodeTexts, useWriteFailureTexts } from "../../api/error-texts.ts";
import { ApiError, type CallFailure, callFailure } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ConfirmDialog, Modal } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";

/** Row that can be deleted. */
interface Deletable {
  readonly id: string;
  readonly name: string;
}

/** Result of one row; `untried`: the deletion was stopped before it. */
type DeletionOutcome = { readonly state: "gone" | "untried" } | ({ readonly state: "failed" } & CallFailure);

type DeletionResult = Deletable & DeletionOutcome;

/** Progress of a bulk deletion. */
type BulkDeletion =
  | { readonly state: "none" }
  | { readonly state: "asking"; readonly rows: readonly Deletable[] }
  | {
      readonly state: "busy" | "done";
      readonly rows: readonly Deletable[];
      readonly results: readonly DeletionResult[];
    };

/** A row that another administrator has already deleted counts as deleted. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
/** A signed-out user can delete nothing more. */
const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * Delete rows one after another after one confirmation, and keep the result of each.
 *
 * @param remove the call that deletes one row
 * @param onDone receives the ids of the deleted rows
 */
export function useBulkDeletion(
  remove: (rest: RestClient, id: string) => Promise<void>,
  onDone: (gone: ReadonlySet<string>) => void,
) {
  const { client } = useRest();
  const [now, setNow] = useState<BulkDeletion>({ state: "none" });
  const stopped = useRef(false);
  const run = async (rows: readonly Deletable[]) => {
    stopped.current = false;
    const results: DeletionResult[] = [];
    setNow({ state: "busy", rows, results: [] });
    for (const row of rows) {
      if (stopped.current) break;
      let outcome: DeletionOutcome = { state: "gone" };
      try {
        await remove(client, row.id);
      } catch (error) {
        if (!isGone(error)) outcome = { state: "failed", ...callFailure(error) };
        if (isSignedOut(error)) stopped.current = true;
      }
      results.push({ ...row, ...outcome });
      setNow({ state: "busy", rows, results: [...results] });
    }
    onDone(new Set(results.filter(({ state }) => state === "gone").map(({ id }) => id)));
    const untried = rows.slice(results.length).map((row) => ({ ...row, state: "untried" as const }));
    setNow({ state: "done", rows, results: [...results, ...untried] });
  };
  return {
    now,
    ask: (rows: readonly Deletable[]) => setNow({ state: "asking", rows }),
    confirm() {
      if (now.state === "asking") void run(now.rows);
    },
    /** Cancel the question; while deleting, stop after the current row; afterwards close the results. */
    close() {
      if (now.state === "busy") stopped.current = true;
      else setNow({ state: "none" });
    },
  };
}

export interface DeletionTexts {
  readonly title: string;
  /** Rows to delete and what is deleted with them. */
  readonly question: ReactNode;
  readonly confirmLabel: string;
  /** Selected rows that are kept, and the reason. */
  readonly note?: string | undefined;
  readonly why?: CodeTexts;
}

interface DeletionDialogProps extends DeletionTexts {
  deletion: ReturnType<typeof useBulkDeletion>;
  /** Number of the rows that are not on the screen. */
  elsewhere: number;
}

/** From this number of rows on, the user types the number to confirm. */
const TYPED_FROM = 2;

/**
 * Confirm a deletion once, naming every row, then show the result of each row. Above one row the user types
 * the number. The page loads the translations of `admin`.
 */
export function DeletionDialog(props: DeletionDialogProps) {
  const { deletion, why } = props;
  const { now, close } = deletion;
  if (now.state === "none") return null;
  if (now.state === "asking") return <Question {...props} rows={now.rows} />;
  return <Results now={now} onClose={close} {...(why ? { why } : {})} />;
}

/** Unmounting discards what was typed. */
function Question(props: DeletionDialogProps & { rows: readonly Deletable[] }) {
  const { rows, title, question, confirmLabel, note, elsewhere, deletion } = props;
  const { t } = useTranslation("admin");
  const [typed, setTyped] = useState("");
  const isTyped = rows.length >= TYPED_FROM;
  const count = `${rows.length}`;
  return (
    <ConfirmDialog
      open
      title={title}
      body={
        <>
          <p>{question}</p>
          {elsewhere > 0 && (
            <chakra.p mt="3">
              <strong>{t("delete.elsewhere", { count: elsewhere })}</strong>
            </chakra.p>
          )}
          {/* The keyboard must reach a list that scrolls */}
          <chakra.ul
            maxH="48"
            my="2"
            ps="5"
            position="relative"
            overflowY="auto"
            listStyle="disc"
            aria-label={t("delete.names")}
            tabIndex={0}
          >
            {rows.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </chakra.ul>
          {note && <chakra.p mt="3">{note}</chakra.p>}
          {isTyped && (
            <TextField
              label={t("delete.type", { number: count })}
              name="count"
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </>
      }
      confirmLabel={confirmLabel}
      danger
      disabled={isTyped && typed.trim() !== count}
      onConfirm={deletion.confirm}
      onClose={deletion.close}
    />
  );
}

const ICONS = {
  gone: <CheckIcon size={18} />,
  failed: <TriangleAlertIcon size={18} />,
  untried: <MinusIcon size={18} />,
} as const;

function Results(props: {
  now: Extract<BulkDeletion, { results: unknown }>;
  why?: CodeTexts;
  onClose: () => void;
}) {
  const { now, why, onClose } = props;
  const { rows, results, state } = now;
  const { t } = useTranslation(["admin", "common"]);
  const failureTexts = useWriteFailureTexts();
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
        <Button data-autofocus variant={done ? "solid" : "outline"} onClick={onClose}>
          {t(done ? "common:action.close" : "delete.stop")}
        </Button>
      }
    >
      <p role="status">{t("delete.progress", { done: are("gone"), count: rows.length })}</p>
      <Stack
        as="ul"
        gap="2"
        maxH="40dvh"
        mt="3"
        position="relative"
        overflowY="auto"
        css={{
          "& li": { display: "flex", alignItems: "baseline", gap: "2" },
          "& svg": { flex: "none", alignSelf: "center" },
          '& [data-result="failed"]': { color: "alarm.p1.fg" },
          '& [data-result="untried"]': { color: "fg.muted" },
        }}
      >
        {results.map((result) => (
          <li key={result.id} data-result={result.state}>
            {ICONS[result.state]}
            <Text as="span" fontWeight="semibold">
              {result.name}
            </Text>
            <span>
              {result.state === "failed"
                ? failureTexts(t("delete.failed"), result, why)
                : t(`delete.${result.state}`)}
            </span>
          </li>
        ))}
      </Stack>
    </Modal>
  );
}
