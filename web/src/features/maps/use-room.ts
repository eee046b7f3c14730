import { useEffect, useState } from "react";

/** The height of an element, CSS px, followed; 0 while there is none. The second is the element's `ref`. */
export function useRoom(): readonly [height: number, ref: (element: HTMLElement | null) => void] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!element) return;
    setHeight(element.clientHeight);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [height, setElement];
}
