import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Viewport } from "./sizes.ts";

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

/** The window's size, followed. */
export function useViewport(): Viewport {
  const width = useSyncExternalStore(subscribe, () => window.innerWidth);
  const height = useSyncExternalStore(subscribe, () => window.innerHeight);
  return { width, height };
}

/** How much room an element has, CSS px, followed; null before it stands. */
export function useRoom<E extends HTMLElement>(): readonly [RefObject<E | null>, Viewport | null] {
  const box = useRef<E>(null);
  const [room, setRoom] = useState<Viewport | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      setRoom((before) => {
        const { clientWidth: width, clientHeight: height } = element;
        return before?.width === width && before.height === height ? before : { width, height };
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, room];
}
