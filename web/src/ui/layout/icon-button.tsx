import type { ComponentPropsWithRef, ReactNode } from "react";
import "./icon-button.css";

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "children"> {
  /** Action of the button, for screen readers. */
  label: string;
  children: ReactNode;
  /** Badge number at the icon's corner; 0 shows none. */
  count?: number;
}

const MOST = 99;

/** A 48 px icon button. It passes other props on, so that a menu can use it as its trigger. */
export function IconButton({ label, children, count = 0, ...rest }: IconButtonProps) {
  const shown = count > MOST ? `${MOST}+` : String(count);
  const name = count > 0 ? `${label} ${shown}` : label;
  return (
    <button type="button" {...rest} className="icon-button" aria-label={name} title={label}>
      {children}
      {count > 0 && (
        <span className="icon-button__count" aria-hidden>
          {shown}
        </span>
      )}
    </button>
  );
}
