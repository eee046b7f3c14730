import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { LazySheet, useEarlyPanels } from "../../components/lazy-panels.tsx";
import { type ShellPanel, ShellPanelContext, type ShellPanelName } from "./shell-panel.ts";

const loadMenu = async () => (await import("./SideMenu.tsx")).SideMenu;

const loadContact = async () => (await import("../contact/ContactForm.tsx")).ContactForm;

/** Host of the panels over every page, one at a time; none is part of the first load. */
export function ShellPanels({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const [shown, setShown] = useState<ShellPanelName | null>(null);
  useEarlyPanels();
  const panel = useMemo((): ShellPanel => ({ shown, open: setShown, close: () => setShown(null) }), [shown]);
  return (
    <ShellPanelContext value={panel}>
      {children}
      {shown === "menu" && (
        <LazySheet title={t("nav.more")} place="end" onClose={panel.close} load={loadMenu} />
      )}
      {shown === "contact" && (
        <LazySheet title={t("contact")} place="top" onClose={panel.close} load={loadContact} />
      )}
    </ShellPanelContext>
  );
}
