/**
 * Maximum number of visible or waiting toasts; the oldest is dropped. Lasting events are in the activity
 * list.
 */
export const MAX_TOASTS = 3;

/** A temporary message. */
export interface Toast {
  /** A later toast of the same id replaces it. */
  id?: string;
  type?: "error" | "warning" | "info" | "success";
  title: string;
  description?: string;
  action?: { label: string; onClick: () => void };
}

/** Show toasts, oldest first. */
export type ShowToasts = (toasts: readonly Toast[]) => void;
