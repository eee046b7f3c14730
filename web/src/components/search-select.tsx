import { Combobox, createListCollection } from "@chakra-ui/react";
import { comboboxSlotRecipe } from "@chakra-ui/react/theme";
import { type KeyboardEvent, useMemo } from "react";
import { CONTROL, changedRecipe, FINGER, OUTLINE } from "../theme/recipe.ts";
import { FormField, type FormFieldProps } from "./field.tsx";

const COMBOBOX = changedRecipe(comboboxSlotRecipe, {
  base: {
    root: { position: "relative", gap: "1" },
    content: {
      borderWidth: "1px",
      borderColor: "border.strong",
      boxShadow: "none",
      "&[data-empty]": { display: "none" },
    },
    item: {
      flex: "none",
      minH: FINGER,
      _highlighted: { bg: "bg.sunk" },
      _disabled: { opacity: "1", color: "fg.subtle" },
    },
  },
  variants: {
    size: {
      md: {
        root: { "--combobox-input-height": "sizes.12", "--combobox-input-padding-x": "spacing.3.5" },
        input: CONTROL,
        content: { "--combobox-item-padding-x": "spacing.3", textStyle: "none" },
      },
    },
    variant: { outline: { input: OUTLINE } },
  },
});

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
        recipe={COMBOBOX}
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
