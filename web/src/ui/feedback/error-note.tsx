import type { ReactNode } from "react";
import { WarningIcon } from "../icon/icons.tsx";
import "./error-note.css";

/** Show an error at its place, with a possible action. */
export function ErrorNote({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="error-note" data-testid="error-note" role="alert">
      <WarningIcon />
      <div className="error-note__text">{children}</div>
      {action}
    </div>
  );
}
