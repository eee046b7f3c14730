import { Checkbox, SegmentGroup, Stack, Switch, Text, useFieldContext } from "@chakra-ui/react";
import { checkboxSlotRecipe, segmentGroupSlotRecipe, switchSlotRecipe } from "@chakra-ui/react/theme";
import { type ChangeEvent, type ComponentProps, type CSSProperties, type ReactNode, useId } from "react";
import { changedRecipe } from "../theme/recipe.ts";
import { FieldFrame } from "./field.tsx";

const SEGMENTS = changedRecipe(segmentGroupSlotRecipe, {
  base: {
    root: {
      flexShrink: "0",
      flexWrap: "wrap",
      minW: "0",
      maxW: "100%",
      p: "2px",
      borderWidth: "1px",
      borderColor: "border",
      bg: "bg.panel",
    },
    item: {
      borderRadius: "6px",
      color: "fg.muted",
      fontWeight: "medium",
      _before: { display: "none" },
      _checked: { bg: "fg", color: "bg.panel" },
      // Chakra's own look until it has measured its indicator, which is not used here.
      "&[data-state=checked][data-ssr]": { bg: "fg", shadow: "none" },
      // Mark the chosen segment with system colours.
      "@media (forced-colors: active)": {
        _checked: { bg: "Highlight", color: "HighlightText", forcedColorAdjust: "none" },
      },
    },
  },
  variants: {
    size: { md: { item: { height: "auto", minH: "max({sizes.9}, var(--finger))", px: "3" } } },
  },
});

const SWITCH = changedRecipe(switchSlotRecipe, {
  base: {
    root: {
      display: "flex",
      gap: "3",
      minH: "12",
      cursor: "switch",
      _disabled: { cursor: "disabled" },
    },
    label: { lineHeight: "inherit", fontSize: "inherit", fontWeight: "inherit" },
  },
  variants: {
    variant: {
      solid: {
        control: {
          borderWidth: "2px",
          borderColor: "border.strong",
          bg: "bg.panel",
          _checked: { borderColor: "fg" },
        },
        thumb: {
          width: "calc(var(--switch-height) - 4px)",
          height: "calc(var(--switch-height) - 4px)",
          // A border is all that is left of it in forced colours.
          borderWidth: "1px",
          borderColor: "transparent",
          bg: "border.strong",
          boxShadow: "none",
        },
      },
    },
    size: { md: { root: { "--switch-width": "sizes.11", "--switch-height": "1.625rem" } } },
  },
});

const CHECKBOX = changedRecipe(checkboxSlotRecipe, {
  base: {
    root: {
      display: "flex",
      gap: "3",
      minH: "12",
      cursor: "checkbox",
      _disabled: { cursor: "disabled" },
    },
    control: { borderWidth: "2px", bg: "bg.panel" },
    label: { fontWeight: "inherit" },
  },
  variants: {
    size: { md: { root: { gap: "3" }, label: { textStyle: "none" }, control: { boxSize: "6" } } },
    variant: { solid: { control: { borderColor: "border.strong" } } },
  },
});

const OVER: CSSProperties = {
  position: "absolute",
  inset: 0,
  width: "100%",
  height: "100%",
  margin: 0,
  opacity: 0,
  cursor: "inherit",
};

interface NativeProps extends ComponentProps<"input"> {
  checked: boolean;
}

/**
 * The browser's control of a drawn one, transparent over it: it takes presses and a screen reader's touch.
 * Chakra's hidden input would keep a press that the owner does not accept.
 */
function Native({ defaultChecked: _first, onClick: _onClick, ...props }: NativeProps) {
  const field = useFieldContext();
  return <input aria-describedby={field?.ariaDescribedby} {...props} style={OVER} />;
}

interface CheckFieldProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  name?: string;
  /** Style as a switch: for a setting that takes effect at once. */
  look?: "box" | "switch";
}

/** Ask for yes or no; the whole line is clickable. */
export function CheckField(props: CheckFieldProps) {
  const { label, checked, onChange, hint, error, disabled, name, look = "box" } = props;
  const native = {
    name,
    checked,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.checked),
  };
  return (
    <FieldFrame hint={hint} error={error} disabled={disabled}>
      {look === "box" ? (
        <Checkbox.Root recipe={CHECKBOX} checked={checked}>
          <Checkbox.Context>
            {(box) => <Native {...box.getHiddenInputProps()} {...native} />}
          </Checkbox.Context>
          <Checkbox.Control />
          <Checkbox.Label>{label}</Checkbox.Label>
        </Checkbox.Root>
      ) : (
        <Switch.Root recipe={SWITCH} checked={checked}>
          <Switch.Context>
            {(box) => <Native {...box.getHiddenInputProps()} {...native} role="switch" />}
          </Switch.Context>
          <Switch.Control />
          <Switch.Label>{label}</Switch.Label>
        </Switch.Root>
      )}
    </FieldFrame>
  );
}

export interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
}

export interface ChoiceSegmentsProps<Value extends string> {
  /** Meaning of the choice, for screen readers. */
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
  /** True: the label stands above the choices. */
  labelled?: boolean;
}

/**
 * Select one of a few visible options; the chosen one is inverted. Arrow keys move it, as in a radio group.
 */
export function ChoiceSegments<Value extends string>(props: ChoiceSegmentsProps<Value>) {
  const { label, value, choices, onChoose, labelled = false } = props;
  const name = useId();
  const group = (
    <SegmentGroup.Root recipe={SEGMENTS} ids={{ label: name }} value={value}>
      {!labelled && (
        <span className="visually-hidden" id={name}>
          {label}
        </span>
      )}
      {choices.map((choice) => (
        <SegmentGroup.Item key={choice.value} value={choice.value}>
          <SegmentGroup.ItemText>{choice.label}</SegmentGroup.ItemText>
          <SegmentGroup.Context>
            {(segments) => (
              <Native
                {...segments.getItemHiddenInputProps({ value: choice.value })}
                checked={choice.value === value}
                onChange={() => onChoose(choice.value)}
              />
            )}
          </SegmentGroup.Context>
        </SegmentGroup.Item>
      ))}
    </SegmentGroup.Root>
  );
  if (!labelled) return group;
  return (
    <Stack align="flex-start" gap="2">
      <Text id={name} textStyle="label">
        {label}
      </Text>
      {group}
    </Stack>
  );
}
