import { useLayoutEffect } from "react";

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
