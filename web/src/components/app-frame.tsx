import type { ReactNode } from "react";
import { useSurface } from "../theme/use-surface.ts";
import { type Layout, useLayout } from "./layout-choice.ts";
import "./app-frame.css";

export interface AppFrameProps {
  header: ReactNode;
  /** Full-width notices under the header: link banner, alarm strip. */
  notices?: ReactNode;
  /** Desktop navigation: beside the page, or above it in the horizontal layout. */
  menu: ReactNode;
  /** Phone navigation at the bottom. */
  bottom: ReactNode;
  /** Text of the link that skips header and navigation. */
  skipLabel: string;
  children: ReactNode;
}

/** A dark background uses the dark mode's colours, whatever the page's mode is. */
const ground = (theme: Layout["sidebarTheme"]) => ({
  className: theme === "panel" ? "" : " dark",
  "data-ground": theme,
});

/** Frame every page behind the login: header, notices, navigation and the page's own scroll. */
export function AppFrame({ header, notices, menu, bottom, skipLabel, children }: AppFrameProps) {
  const phone = useSurface() === "phone";
  const { layout } = useLayout();
  const top = ground(layout.topbar);
  const under = ground(layout.sidebarTheme);
  const type = phone ? "vertical" : layout.type;
  // The focus order equals the visual order.
  const desktopMenu = !phone && (
    <div {...under} className={`app-frame__menu${under.className}`} data-testid="frame-menu">
      {menu}
    </div>
  );
  return (
    <div
      className="app-frame"
      data-type={type}
      data-width={layout.width}
      data-header={layout.header}
      data-sidebar={layout.sidebar}
    >
      {/* A landmark: above another account's farm it is not the first link of the page. */}
      <nav className="app-frame__ways" aria-label={skipLabel}>
        <a className="app-frame__skip" href="#main">
          {skipLabel}
        </a>
      </nav>
      <header {...top} className={`app-frame__header${top.className}`}>
        {header}
      </header>
      {type === "horizontal" && desktopMenu}
      {notices && <div className="app-frame__notices">{notices}</div>}
      {type === "vertical" && desktopMenu}
      <main className="app-frame__main" id="main" tabIndex={-1}>
        {children}
      </main>
      {phone && bottom}
    </div>
  );
}
