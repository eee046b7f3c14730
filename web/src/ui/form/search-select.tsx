import { type KeyboardEvent, useId, useState } from "react";
import { FormField, type FormFieldProps } from "./form-field.tsx";
import "./search-select.css";

export interface SearchOption {
  readonly value: string;
  readonly label: string;
  /** Visible but not selectable; the label gives the reason. */
  readonly disabled?: boolean;
}

interface SearchSelectProps extends Omit<FormFieldProps, "children"> {
  /** Typed text; the caller decides which options match. */
  text: string;
  onText: (text: string) => void;
  options: readonly SearchOption[];
  onPick: (value: string) => void;
  /** Maximum height of the list, CSS px; a longer list scrolls. */
  maxHeight?: number;
  inputMode?: "text" | "numeric";
}

const DEFAULT_HEIGHT = 240;

/** Return the next selectable option from `at` by `step`, wrapping around; -1 if there is none. */
export function nextOption(options: readonly SearchOption[], at: number, step: 1 | -1): number {
  for (let count = 1; count <= options.length; count += 1) {
    const start = at < 0 && step < 0 ? options.length : at;
    const index = (start + step * count + options.length * 2) % options.length;
    if (!options[index]?.disabled) return index;
  }
  return -1;
}

/** Text input that proposes matching options for mouse, touch, arrow keys and screen readers. */
export function SearchSelect(props: SearchSelectProps) {
  const { text, onText, options, onPick, maxHeight = DEFAULT_HEIGHT, inputMode = "text", ...field } = props;
  const list = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const isOpen = open && options.length > 0;
  const active = isOpen && at < options.length ? at : -1;
  const pick = (option: SearchOption | undefined) => {
    if (!option || option.disabled) return;
    setOpen(false);
    setAt(-1);
    onPick(option.value);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      setAt(nextOption(options, active, event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      pick(options[active]);
    } else if (event.key === "Escape" && isOpen) {
      // The list closes first, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className="search-select">
      <FormField {...field}>
        {(control) => (
          <input
            {...control}
            className="control"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={active < 0 ? undefined : `${list}-${active}`}
            autoComplete="off"
            spellCheck={false}
            inputMode={inputMode}
            value={text}
            onChange={(event) => {
              setOpen(true);
              setAt(-1);
              onText(event.target.value);
            }}
            onFocus={() => setOpen(true)}
            // After a selection the input keeps the focus, and the user may want another option.
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={press}
          />
        )}
      </FormField>
      <div
        className="search-select__list"
        id={list}
        role="listbox"
        aria-label={typeof field.label === "string" ? field.label : undefined}
        hidden={!isOpen}
        style={{ maxHeight }}
        // Keep the focus in the input while the user presses an option.
        onPointerDown={(event) => event.preventDefault()}
      >
        {isOpen &&
          options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text input keeps the focus and handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: it is active by `aria-activedescendant`
            <div
              key={option.value}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              aria-disabled={option.disabled || undefined}
              ref={(element) => {
                if (index === active) element?.scrollIntoView?.({ block: "nearest" });
              }}
              onClick={() => pick(option)}
            >
              {option.label}
            </div>
          ))}
      </div>
    </div>
  );
}
