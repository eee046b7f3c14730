import { useState } from "react";

/** Keep a choice among a few values in this browser. */
export function useStoredChoice<Value extends string>(
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
