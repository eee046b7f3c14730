import { createContext, useContext } from "react";

/** Panels over every page: a phone's menu, or the contact form. */
export type ShellPanelName = "menu" | "contact";

/** The open panel, and a function to open one. */
export interface ShellPanel {
  readonly shown: ShellPanelName | null;
  open(name: ShellPanelName): void;
  close(): void;
}

export const ShellPanelContext = createContext<ShellPanel | null>(null);

export function useShellPanel(): ShellPanel {
  const panel = useContext(ShellPanelContext);
  if (!panel) throw new Error("a panel of the shell needs the shell around it");
  return panel;
}
