import type { ComponentPropsWithRef, ReactNode } from "react";
import "./icon-button.css";

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "children"> {
  /** What it does, said to those who do not see the icon. */
  label: string;
  children: ReactNode;
  /** A number over the icon's corner; 0 shows nothing. */
  count?: number;
}

const MOST = 99;

/** A quiet 48 px button of one icon. Passes everything else on, so that a menu can use it as its trigger. */
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
