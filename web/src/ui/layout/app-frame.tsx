import type { ReactNode } from "react";
import { useSurface } from "../theme/use-surface.ts";
import { type Layout, useLayout } from "./layout-choice.ts";
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

/** Dark ground carries the colours of the dark page, whatever the page itself is. */
const ground = (theme: Layout["sidebarTheme"]) => ({
  className: theme === "panel" ? "" : " dark",
  "data-ground": theme,
});

/** The frame of every page behind the login: header, notices, navigation, and the page's own scroll. */
export function AppFrame({ header, notices, side, bottom, skipLabel, children }: AppFrameProps) {
  const phone = useSurface() === "phone";
  const { layout } = useLayout();
  const top = ground(layout.topbar);
  const beside = ground(layout.sidebarTheme);
  return (
    <div
      className="app-frame"
      data-width={layout.width}
      data-header={layout.header}
      data-sidebar={layout.sidebar}
    >
      {/* A landmark of its own: above another account's farm it is not the first link of the page. */}
      <nav className="app-frame__ways" aria-label={skipLabel}>
        <a className="app-frame__skip" href="#main">
          {skipLabel}
        </a>
      </nav>
      <header {...top} className={`app-frame__header${top.className}`}>
        {header}
      </header>
      {notices && <div className="app-frame__notices">{notices}</div>}
      {!phone && (
        <div {...beside} className={`app-frame__side${beside.className}`}>
          {side}
        </div>
      )}
      <main className="app-frame__main" id="main" tabIndex={-1}>
        {children}
      </main>
      {phone && bottom}
    </div>
  );
}
