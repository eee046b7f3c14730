import { useEffect } from "react";
import { useBlocker } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ConfirmDialog } from "../overlay/confirm-dialog.tsx";
import { holdPage } from "./unsaved.ts";

export interface LeaveGuardProps {
  when: boolean;
  /** Says which other searches of the same path keep the content on the page; none where left out. */
  keeps?: (search: URLSearchParams) => boolean;
}

/**
 * Asks before a page is left on which something stands that is nowhere else; the browser itself asks before the tab
 * is closed, and a newer client waits (HS-4). One a page: the router knows no more.
 */
export function LeaveGuard({ when, keeps }: LeaveGuardProps) {
  const { t } = useTranslation("common");
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (currentLocation.search !== nextLocation.search &&
          keeps?.(new URLSearchParams(nextLocation.search)) !== true)),
  );
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    const release = holdPage();
    return () => {
      window.removeEventListener("beforeunload", ask);
      release();
    };
  }, [when]);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      title={t("form.leave.title")}
      body={<p>{t("form.leave.text")}</p>}
      confirmLabel={t("form.leave.leave")}
      cancelLabel={t("form.leave.stay")}
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  );
}
