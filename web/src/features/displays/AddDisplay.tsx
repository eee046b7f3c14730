import { Button } from "@chakra-ui/react";
import { CODE_LENGTH, type PendingCode } from "@mulkko/shared/rest/displays";
import { useEffect, useState } from "react";
import { TextField } from "../../components/field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { fetchPendingCode } from "../../rest/displays.ts";
import { ApiError, errorCode } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { ApproveForm } from "./ApproveForm.tsx";
import { readTyped, shownCode } from "./draft.ts";

type Asked =
  | { readonly state: "nothing" }
  | { readonly state: "asking" }
  | { readonly state: "found"; readonly pending: PendingCode }
  | { readonly state: "failed"; readonly code: string };

interface AddDisplayProps {
  /** Code in the address of the display's own link; empty if the user types it. */
  readonly code: string;
  readonly count: number;
  readonly onPaired: () => void;
  readonly onCode: (code: string) => void;
}

/**
 * Enter the eight letters that a display shows, typed or from its link. They lead to the form for its
 * content.
 */
export function AddDisplay({ code, count, onPaired, onCode }: AddDisplayProps) {
  const { t } = useTranslation("displays");
  const labels = useLabels();
  const { client } = useRest();
  const [typed, setTyped] = useState(code);
  const [asked, setAsked] = useState<Asked>({ state: "nothing" });

  useEffect(() => setTyped(code), [code]);
  useEffect(() => {
    if (code.length < CODE_LENGTH) {
      setAsked({ state: "nothing" });
      return;
    }
    const abort = new AbortController();
    setAsked({ state: "asking" });
    fetchPendingCode(client, code, abort.signal).then(
      (pending) => setAsked({ state: "found", pending }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const gone = error instanceof ApiError && error.status === 404;
        setAsked({ state: "failed", code: gone ? "no-screen" : errorCode(error) });
      },
    );
    return () => abort.abort();
  }, [client, code]);

  if (asked.state === "found") {
    return (
      <ApproveForm pending={asked.pending} count={count} onPaired={onPaired} onCancel={() => onCode("")} />
    );
  }
  const failure =
    asked.state === "failed"
      ? asked.code === "no-screen"
        ? t("add.noScreen")
        : labels.error(asked.code)
      : undefined;
  return (
    <Card title={t("add.title")}>
      <form
        className="displays__add"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onCode(typed);
        }}
      >
        <p className="displays__note">{t("add.how")}</p>
        {asked.state === "asking" ? (
          <Skeleton height="5rem" />
        ) : (
          <div className="displays__code">
            <TextField
              label={t("add.code")}
              name="code"
              autoComplete="off"
              value={shownCode(typed)}
              error={failure}
              onChange={(event) => {
                const letters = readTyped(event.target.value);
                setTyped(letters);
                // Continue automatically after the last letter.
                if (letters.length === CODE_LENGTH) onCode(letters);
              }}
            />
          </div>
        )}
        {asked.state === "failed" && (
          <Button
            variant="outline"
            onClick={() => {
              setTyped("");
              onCode("");
            }}
          >
            {t("add.again")}
          </Button>
        )}
      </form>
    </Card>
  );
}
