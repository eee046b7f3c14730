import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link, NavLink } from "react-router-dom";
import "./navigation.css";

/** One navigation target. */
export interface NavItem {
  to: string;
  label: string;
  icon: ReactNode;
  /** True if the page belongs to this item although its address differs. */
  current?: boolean;
}

/** Last entry of a phone's navigation; opens the remaining items. */
export interface MoreEntry {
  label: string;
  icon: ReactNode;
  open: boolean;
  onPress: () => void;
}

export interface NavigationProps {
  /** Name of the navigation, for screen readers. */
  label: string;
  items: readonly NavItem[];
}

const inside = ({ label, icon }: Pick<NavItem, "label" | "icon">) => (
  <>
    <span className="navigation__icon">{icon}</span>
    <span>{label}</span>
  </>
);

const entries = (items: readonly NavItem[]) =>
  items.map((item) => (
    <li key={item.to}>
      {item.current === undefined ? (
        <NavLink to={item.to} title={item.label}>
          {inside(item)}
        </NavLink>
      ) : (
        <Link to={item.to} title={item.label} {...(item.current ? { "aria-current": "page" } : {})}>
          {inside(item)}
        </Link>
      )}
    </li>
  ));

const BOTTOM = {
  position: "fixed",
  inset: "auto 0 0",
  zIndex: "sticky",
  pb: "env(safe-area-inset-bottom)",
  borderTopWidth: "1px",
  bg: "bg.panel",
  "& ul": { display: "grid", gridAutoFlow: "column", gridAutoColumns: "minmax(0, 1fr)" },
  "& li > *": { w: "full", minH: "var(--nav-height)" },
  "& button": { cursor: "pointer", "&[aria-expanded=true]": { color: "fg" } },
  // Fit five items side by side at any letter size.
  "@media (max-width: 22rem)": {
    "& li > :is(a, button)": { fontSize: "min(0.75rem, 4.1vw)" },
    "& .navigation__icon": { w: "min(3.25rem, 100%)" },
  },
};

/** Phone navigation: five items above the safe area; the last opens the rest. */
export function BottomNav({ label, items, more }: NavigationProps & { more?: MoreEntry }) {
  return (
    <chakra.nav className="navigation bottom-nav" css={BOTTOM} data-testid="bottom-nav" aria-label={label}>
      <ul>
        {entries(items)}
        {more && (
          <li>
            <button type="button" aria-haspopup="dialog" aria-expanded={more.open} onClick={more.onPress}>
              {inside(more)}
            </button>
          </li>
        )}
      </ul>
    </chakra.nav>
  );
}

/** Desktop navigation: a narrow column with icon and label, or a row in the horizontal layout. */
export function DesktopNav({ label, items }: NavigationProps) {
  return (
    <nav className="navigation desktop-nav" aria-label={label}>
      <ul>{entries(items)}</ul>
    </nav>
  );
}
