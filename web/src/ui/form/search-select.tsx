import { type KeyboardEvent, useId, useState } from "react";
import { FormField, type FormFieldProps } from "./form-field.tsx";
import "./search-select.css";

export interface SearchOption {
  readonly value: string;
  readonly label: string;
  /** Shown, but cannot be picked; say why in the label. */
  readonly disabled?: boolean;
}

interface SearchSelectProps extends Omit<FormFieldProps, "children"> {
  /** What is typed; the caller decides which options fit it. */
  text: string;
  onText: (text: string) => void;
  options: readonly SearchOption[];
  onPick: (value: string) => void;
  /** Height of the list, CSS px; what is longer scrolls. */
  maxHeight?: number;
  inputMode?: "text" | "numeric";
}

const DEFAULT_HEIGHT = 240;

/** The next option that can be picked, from `at` by `step`, around the ends; -1 where there is none. */
export function nextOption(options: readonly SearchOption[], at: number, step: 1 | -1): number {
  for (let count = 1; count <= options.length; count += 1) {
    const start = at < 0 && step < 0 ? options.length : at;
    const index = (start + step * count + options.length * 2) % options.length;
    if (!options[index]?.disabled) return index;
  }
  return -1;
}

/** A line of text that proposes what fits it: by mouse, finger, arrow keys and screen reader alike. */
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
            // After one was picked the text still has the focus, and the next may be wanted.
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
        // The text keeps the focus while somebody presses here.
        onPointerDown={(event) => event.preventDefault()}
      >
        {isOpen &&
          options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text, which keeps the focus
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
