import type { ReactNode } from "react";
import { Link, NavLink } from "react-router-dom";
import "./navigation.css";

/** One place to go to. */
export interface NavItem {
  to: string;
  label: string;
  icon: ReactNode;
  /** Whether the page belongs here, where its address does not say so. */
  current?: boolean;
}

/** The last entry of a phone's navigation, behind which the rest stands. */
export interface MoreEntry {
  label: string;
  icon: ReactNode;
  open: boolean;
  onPress: () => void;
}

export interface NavigationProps {
  /** What the navigation is, for those who do not see it. */
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

/** Navigation of a phone: five items at the thumb, above the safe area; the last opens the rest. */
export function BottomNav({ label, items, more }: NavigationProps & { more?: MoreEntry }) {
  return (
    <nav className="navigation bottom-nav" aria-label={label}>
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
    </nav>
  );
}

/** Navigation of a desktop: a narrow column with icon and word. */
export function SideNav({ label, items }: NavigationProps) {
  return (
    <nav className="navigation side-nav" aria-label={label}>
      <ul>{entries(items)}</ul>
    </nav>
  );
}
