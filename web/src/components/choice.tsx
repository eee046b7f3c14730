import { Checkbox, SegmentGroup, Stack, Switch, Text, useFieldContext } from "@chakra-ui/react";
import { type ChangeEvent, type ComponentProps, type CSSProperties, type ReactNode, useId } from "react";
import { FieldFrame } from "./field.tsx";

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
        <Checkbox.Root checked={checked}>
          <Checkbox.Context>
            {(box) => <Native {...box.getHiddenInputProps()} {...native} />}
          </Checkbox.Context>
          <Checkbox.Control />
          <Checkbox.Label>{label}</Checkbox.Label>
        </Checkbox.Root>
      ) : (
        <Switch.Root checked={checked}>
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
    <SegmentGroup.Root ids={{ label: name }} value={value}>
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
