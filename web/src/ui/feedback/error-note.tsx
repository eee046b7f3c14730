import type { ReactNode } from "react";
import { WarningIcon } from "../icon/icons.tsx";
import "./error-note.css";

/** An error where it happened, with what can be done about it. */
export function ErrorNote({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="error-note" role="alert">
      <WarningIcon />
      <div className="error-note__text">{children}</div>
      {action}
    </div>
  );
}
