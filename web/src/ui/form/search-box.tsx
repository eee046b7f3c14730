import type { KeyboardEvent } from "react";
import "./form-field.css";
import "./search-box.css";

export interface SearchBoxProps {
  /** Searched fields; used as accessible name and placeholder. */
  label: string;
  text: string;
  onText: (text: string) => void;
}

// Enter searches; it does not submit the surrounding form.
const keepForm = (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault();

/** Filter the list below while the user types. */
export function SearchBox({ label, text, onText }: SearchBoxProps) {
  return (
    <input
      type="search"
      className="control search-box"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={keepForm}
    />
  );
}
