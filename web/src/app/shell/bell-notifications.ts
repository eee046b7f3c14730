import { createContext } from "react";
import type { Notifications } from "./use-notifications.ts";

/** The bell's notifications, for its lists. */
export interface BellNotifications extends Pick<Notifications, "loaded" | "keep"> {
  /** Number of unread ones that arrived after the last view. */
  readonly fresh: number;
}

export const BellNotifications = createContext<BellNotifications>({
  loaded: { state: "loading" },
  keep: () => undefined,
  fresh: 0,
});
