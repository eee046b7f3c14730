import { UnplugIcon } from "lucide-react";
import type { ReactNode } from "react";
import "./link-banner.css";

export interface LinkBannerProps {
  title: ReactNode;
  /** Age of the values on the page, and the recovery in progress. */
  detail?: ReactNode;
  action?: ReactNode;
}

/** Warn that the page is not live. Screen readers announce it once, not with every second of its age. */
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
