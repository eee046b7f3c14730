import { Button } from "@chakra-ui/react";
import type { LogoutCheck } from "@mulkko/shared/rest/watch";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { errorReason } from "../api/errors.ts";
import { useRest, useSession } from "../api/hooks.ts";
import { ConfirmDialog } from "../components/dialog.tsx";
import { logOutAfterClosing } from "../domain/valve/closing-log-out.ts";
import { outboxOf } from "../domain/valve/use-outbox.ts";
import { useLabels } from "../i18n/labels.ts";

/** Maximum number of valves named in the question; the others are counted. */
const NAMED = 8;

/** Return the id of the signed-in account. */
function useSignedInId(): string | null {
  const state = useSession();
  return state.state === "signed-in" ? `${state.account.id}` : null;
}

/** Ask before a logout that closes valves first, and show its progress (CMD-15). */
export function LogoutQuestion({ valves }: { valves: LogoutCheck["closesFirst"] }) {
  const { t } = useTranslation(["account", "common"]);
  const labels = useLabels();
  const rest = useRest();
  const { session } = rest;
  const accountId = useSignedInId();
  const navigate = useNavigate();
  // After a failure the user is still signed in.
  const {
    mutate: close,
    isPending,
    error,
  } = useMutation({
    mutationFn: () =>
      logOutAfterClosing(accountId === null ? null : outboxOf(rest, accountId), session, valves),
  });
  const count = valves.length;
  const names = valves
    .slice(0, NAMED)
    .map(({ name, number }) =>
      labels.thing({ name: name ?? t("leave.unnamed"), ...(number !== null && { number }) }),
    );
  const others = count - names.length;
  return (
    <ConfirmDialog
      open
      title={t("leave.title", { count })}
      body={
        <>
          <p>{names.join(", ") + (others > 0 ? ` ${t("leave.others", { count: others })}` : "")}</p>
          <p>{t("leave.why")}</p>
          <p role="status">{isPending && t("leave.closing", { count })}</p>
          {error && <p>{t("leave.stillIn")}</p>}
        </>
      }
      confirmLabel={t(error ? "leave.again" : "leave.confirm")}
      cancelLabel={t("leave.stay")}
      busy={isPending}
      error={error && labels.error(errorReason(error))}
      remedy={
        <Button variant="outline" colorPalette="red" onClick={() => void session.logoutDespiteOpenValve()}>
          {t("leave.despite")}
        </Button>
      }
      onConfirm={() => close()}
      onClose={() => void navigate("/dashboard", { replace: true })}
    />
  );
}

/** Ask before a logout that leaves stored commands unsent: they wait for the account's next sign-in (CMD-8). */
export function UnsentQuestion({ count, onConfirm }: { count: number; onConfirm: () => void }) {
  const { t } = useTranslation("account");
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      open
      title={t("unsent.title", { count })}
      body={<p>{t("unsent.why")}</p>}
      confirmLabel={t("unsent.confirm")}
      cancelLabel={t("leave.stay")}
      danger
      onConfirm={onConfirm}
      onClose={() => void navigate("/dashboard", { replace: true })}
    />
  );
}
