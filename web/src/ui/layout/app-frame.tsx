import type { ReactNode } from "react";
import { useSurface } from "../theme/use-surface.ts";
import "./app-frame.css";

export interface AppFrameProps {
  header: ReactNode;
  /** Full-width notices under the header: link banner, alarm strip. */
  notices?: ReactNode;
  /** Navigation of a desktop, left. */
  side: ReactNode;
  /** Navigation of a phone, bottom. */
  bottom: ReactNode;
  /** Words of the link that leads past header and navigation. */
  skipLabel: string;
  children: ReactNode;
}

/** The frame of every page behind the login: header, notices, navigation, and the page's own scroll. */
export function AppFrame({ header, notices, side, bottom, skipLabel, children }: AppFrameProps) {
  const phone = useSurface() === "phone";
  return (
    <div className="app-frame">
      <a className="app-frame__skip" href="#main">
        {skipLabel}
      </a>
      <header className="app-frame__header">{header}</header>
      {notices && <div className="app-frame__notices">{notices}</div>}
      {!phone && <div className="app-frame__side">{side}</div>}
      <main className="app-frame__main" id="main" tabIndex={-1}>
        {children}
      </main>
      {phone && bottom}
    </div>
  );
}
