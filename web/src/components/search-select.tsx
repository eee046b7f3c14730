import { Combobox, createListCollection } from "@chakra-ui/react";
import { type KeyboardEvent, useMemo } from "react";
import { FormField, type FormFieldProps } from "./field.tsx";

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

/** No option stays selected: the caller takes each one and sets the text. */
const NONE_SELECTED: string[] = [];

// With an open list Enter selects; it does not submit the surrounding form.
const keepForm = (event: KeyboardEvent) => {
  const { target } = event;
  const open = target instanceof Element && target.getAttribute("aria-expanded") === "true";
  if (event.key === "Enter" && open) event.preventDefault();
};

/** Text input that proposes matching options for mouse, touch, arrow keys and screen readers. */
export function SearchSelect(props: SearchSelectProps) {
  const { text, onText, options, onPick, maxHeight = DEFAULT_HEIGHT, inputMode = "text", ...field } = props;
  const collection = useMemo(
    () =>
      createListCollection({
        items: options,
        itemToString: ({ label }) => label,
        isItemDisabled: ({ disabled = false }) => disabled,
      }),
    [options],
  );
  return (
    <FormField {...field}>
      <Combobox.Root
        collection={collection}
        inputValue={text}
        onInputValueChange={({ inputValue, reason }) => {
          if (reason === "input-change") onText(inputValue);
        }}
        value={NONE_SELECTED}
        onSelect={({ itemValue }) => {
          if (itemValue !== undefined) onPick(itemValue);
        }}
        selectionBehavior="preserve"
        allowCustomValue
        openOnClick
        // Around the input: the input's own handler comes first.
        onKeyDown={keepForm}
      >
        <Combobox.Input inputMode={inputMode} />
        <Combobox.Content maxHeight={`${maxHeight}px`}>
          {options.map((option) => (
            <Combobox.Item key={option.value} item={option}>
              <Combobox.ItemText>{option.label}</Combobox.ItemText>
            </Combobox.Item>
          ))}
        </Combobox.Content>
      </Combobox.Root>
    </FormField>
  );
}
