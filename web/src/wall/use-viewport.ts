import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Viewport } from "./sizes.ts";

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

/** Return the window's size and follow its changes. */
export function useViewport(): Viewport {
  const width = useSyncExternalStore(subscribe, () => window.innerWidth);
  const height = useSyncExternalStore(subscribe, () => window.innerHeight);
  return { width, height };
}

/** Return an element's size, CSS px, and follow its changes; null before it is mounted. */
export function useElementSize<E extends HTMLElement>(): readonly [RefObject<E | null>, Viewport | null] {
  const ref = useRef<E>(null);
  const [size, setSize] = useState<Viewport | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () =>
      setSize((before) => {
        const { clientWidth: width, clientHeight: height } = element;
        return before?.width === width && before.height === height ? before : { width, height };
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}

/** Set the factor of every size on the document's root, where the design system computes its sizes. */
export function useWallFactor(factor: number): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--wall-k", `${factor}`);
    return () => {
      style.removeProperty("--wall-k");
    };
  }, [factor]);
}
