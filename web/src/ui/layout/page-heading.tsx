import type { ReactNode } from "react";
import { useNamesPage } from "./page-name.ts";
import "./page-heading.css";

export interface PageHeadingProps {
  title: ReactNode;
  /** One line under the title. */
  note?: ReactNode;
  /** Left of the title: usually a back link. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** Page heading, also used as document title, with back link and actions. */
export function PageHeading({ title, note, lead, actions }: PageHeadingProps) {
  useNamesPage(typeof title === "string" ? title : null);
  return (
    <div className="page-heading">
      {lead}
      <div className="page-heading__text">
        <h1>{title}</h1>
        {note && <p>{note}</p>}
      </div>
      {actions && (
        <div className="page-heading__actions" data-testid="page-actions">
          {actions}
        </div>
      )}
    </div>
  );
}
