import { createContext } from "react";

/** Panels over every page: a phone's menu, or the contact form. */
export type ShellPanelName = "menu" | "contact";

/** Open a panel of the shell in place of the open one. */
export const OpenShellPanel = createContext<(name: ShellPanelName) => void>(() => undefined);
