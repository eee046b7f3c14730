import { useLayoutEffect, useRef, useState } from "react";

/** Width steps, CSS px: a small change of the window asks for no new buckets. */
const WIDTH_STEP = 120;

/** The width of an element, rounded down, so that there is at most one bucket per pixel; 0 while not known. */
export function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      setWidth(Math.max(WIDTH_STEP, Math.floor(element.clientWidth / WIDTH_STEP) * WIDTH_STEP));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
