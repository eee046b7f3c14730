import { useLayoutEffect, useState } from "react";

/**
 * Return a measure of an element and follow it; 0 while there is no element. The second value is the
 * element's `ref`.
 *
 * @param measure must be a stable function
 */
export function useMeasure(measure: (element: HTMLElement) => number) {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [value, setValue] = useState(0);
  useLayoutEffect(() => {
    if (!element) return;
    const update = () => setValue(measure(element));
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, measure]);
  return [value, ref] as const;
}
