import { type ReactNode, useId } from "react";
import "./choice-segments.css";

export interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
}

export interface ChoiceSegmentsProps<Value extends string> {
  /** What is chosen, for those who do not see it. */
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
}

/** A choice among a few, all of them visible; the chosen one inverts its ink. Arrow keys move it, as radios do. */
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
