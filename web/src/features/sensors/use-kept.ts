import { useState } from "react";

/** A choice among a few that this browser remembers. */
export function useKept<Value extends string>(
  key: string,
  values: readonly Value[],
  otherwise: Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(
    () => values.find((known) => known === localStorage.getItem(key)) ?? otherwise,
  );
  return [
    value,
    (next) => {
      localStorage.setItem(key, next);
      setValue(next);
    },
  ];
}
