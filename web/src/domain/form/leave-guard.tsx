import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useBlocker } from "react-router-dom";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { holdPage } from "./unsaved.ts";

export interface LeaveGuardProps {
  when: boolean;
  /** Return true for searches of the same path that keep the content on the page; none if omitted. */
  keeps?: (search: URLSearchParams) => boolean;
}

/**
 * Ask before leaving a page with unsaved values. The browser asks before the tab closes, and an update waits
 * (HS-4). One per page: the router supports no more.
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
