import type { ReactNode } from "react";
import { useNamesPage } from "./page-name.ts";
import "./page-heading.css";

export interface PageHeadingProps {
  title: ReactNode;
  /** One line under the title. */
  note?: ReactNode;
  /** Left of the title: usually a way back. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The heading of a page, which names the document as well, with its way back and its actions. */
export function PageHeading({ title, note, lead, actions }: PageHeadingProps) {
  useNamesPage(typeof title === "string" ? title : null);
  return (
    <div className="page-heading">
      {lead}
      <div className="page-heading__text">
        <h1>{title}</h1>
        {note && <p>{note}</p>}
      </div>
      {actions && <div className="page-heading__actions">{actions}</div>}
    </div>
  );
}
