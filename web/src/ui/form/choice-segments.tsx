import { type ReactNode, useId } from "react";
import "./choice-segments.css";

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
}

/**
 * Select one of a few visible options; the chosen one is inverted. Arrow keys move it, as in a radio group.
 */
export function ChoiceSegments<Value extends string>(props: ChoiceSegmentsProps<Value>) {
  const { label, value, choices, onChoose } = props;
  const name = useId();
  return (
    <div className="choice-segments" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className="choice-segments__item">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
