import { SegmentGroup } from "@chakra-ui/react";
import type { ReactNode } from "react";

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

/** A choice among a few, all of them visible; the chosen one inverts its ink. */
export function ChoiceSegments<Value extends string>(props: ChoiceSegmentsProps<Value>) {
  const { label, value, choices, onChoose } = props;
  return (
    <SegmentGroup.Root
      size="sm"
      value={value}
      aria-label={label}
      onValueChange={({ value: chosen }) => {
        const choice = choices.find((candidate) => candidate.value === chosen);
        if (choice) onChoose(choice.value);
      }}
    >
      {choices.map((choice) => (
        <SegmentGroup.Item key={choice.value} value={choice.value}>
          <SegmentGroup.ItemText>{choice.label}</SegmentGroup.ItemText>
          <SegmentGroup.ItemHiddenInput />
        </SegmentGroup.Item>
      ))}
    </SegmentGroup.Root>
  );
}
