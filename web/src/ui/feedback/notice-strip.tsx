import type { ReactNode } from "react";
import "./notice-strip.css";

export interface NoticeStripProps {
  icon: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  /** What can be done about it, and how to put it away. */
  actions?: ReactNode;
}

/** Something worth knowing that is not wrong: under the header, quieter than a warning. */
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
