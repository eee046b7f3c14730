/** Most toasts that wait or are seen at once; the oldest leaves. What matters longer stands in the activity list. */
export const MAX_TOASTS = 3;

/** A sentence that is shown for a moment. */
export interface Toast {
  type?: "error" | "warning" | "info" | "success";
  title: string;
  description?: string;
  action?: { label: string; onClick: () => void };
}

/** Shows toasts, oldest first. */
export type ShowToasts = (toasts: readonly Toast[]) => void;
