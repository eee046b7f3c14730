import type { ReactNode } from "react";
import "./notice-strip.css";

export interface NoticeStripProps {
  icon: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  /** Possible actions, and a way to dismiss the notice. */
  actions?: ReactNode;
}

/** Show information that is not a warning, under the header. */
export function NoticeStrip({ icon, title, detail, actions }: NoticeStripProps) {
  return (
    <div className="notice-strip" role="status">
      {icon}
      <span className="notice-strip__text">
        <strong>{title}</strong>
        {detail && <span>{detail}</span>}
      </span>
      {actions}
    </div>
  );
}
