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

export interface NavigationProps {
  /** What the navigation is, for those who do not see it. */
  label: string;
  items: readonly NavItem[];
}

const inside = ({ label, icon }: NavItem) => (
  <>
    <span className="navigation__icon">{icon}</span>
    <span>{label}</span>
  </>
);

const entries = (items: readonly NavItem[]) =>
  items.map((item) => (
    <li key={item.to}>
      {item.current === undefined ? (
        <NavLink to={item.to}>{inside(item)}</NavLink>
      ) : (
        <Link to={item.to} {...(item.current ? { "aria-current": "page" } : {})}>
          {inside(item)}
        </Link>
      )}
    </li>
  ));

/** Navigation of a phone: five items at the thumb, above the safe area. */
export function BottomNav({ label, items }: NavigationProps) {
  return (
    <nav className="navigation bottom-nav" aria-label={label}>
      <ul>{entries(items)}</ul>
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
