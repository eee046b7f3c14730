import type { KeyboardEvent } from "react";
import "./form-field.css";
import "./search-box.css";

export interface SearchBoxProps {
  /** What can be looked for; it is the box's name and its placeholder. */
  label: string;
  text: string;
  onText: (text: string) => void;
}

// Enter looks for what was typed; it does not send the form around it.
const keepForm = (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault();

/** The box over a list that narrows it while one types. */
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
