import { useLayoutEffect } from "react";

/** Says the factor of every size on the root of the document: the design system's own sizes are reckoned there. */
export function useWallFactor(factor: number): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--wall-k", `${factor}`);
    return () => {
      style.removeProperty("--wall-k");
    };
  }, [factor]);
}
