import { TriangleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";
import "./error-note.css";

/** Show an error at its place, with a possible action. */
export function ErrorNote({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="error-note" data-testid="error-note" role="alert">
      <TriangleAlertIcon />
      <div className="error-note__text">{children}</div>
      {action}
    </div>
  );
}
