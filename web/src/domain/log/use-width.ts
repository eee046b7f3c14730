import { useLayoutEffect, useRef, useState } from "react";

/** Width steps, CSS px: a small change of the window does not request new buckets. */
const WIDTH_STEP = 120;

/** Return the width of an element, rounded down, for at most one bucket per pixel; 0 while unknown. */
export function useWidth() {
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const measure = () =>
      setWidth(Math.max(WIDTH_STEP, Math.floor(element.clientWidth / WIDTH_STEP) * WIDTH_STEP));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [container, width] as const;
}
