import type { ReactNode } from "react";
import { UnplugIcon } from "../icon/icons.tsx";
import "./link-banner.css";

export interface LinkBannerProps {
  title: ReactNode;
  /** What the values on the page are worth: their time, and what is being done. */
  detail?: ReactNode;
  action?: ReactNode;
}

/** Says that the page is not live. Announced once when it appears, not with every second of its age. */
export function LinkBanner({ title, detail, action }: LinkBannerProps) {
  return (
    <div className="link-banner" role="status">
      <UnplugIcon />
      <span className="link-banner__text">
        <strong>{title}</strong>
        {detail && <span>{detail}</span>}
      </span>
      {action}
    </div>
  );
}
