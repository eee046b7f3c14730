import { ChakraProvider } from "@chakra-ui/react";
import { cleanup, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { systemCss } from "../../../build/system-css.ts";
import { makeSystem } from "./made-system.ts";

const sheets = (): Element[] => [...document.querySelectorAll("style[data-emotion]")];

/** Remove vendor-prefixed duplicates. */
const plain = (css: string): string =>
  css.replace(/(?<=[{;])(?:-(?:webkit|moz|ms)-[a-z-]+:[^;{}]*;|display:-[a-z-]+;)/g, "");

it("[theme] the build's style sheet equals the design system's output", () => {
  const before = new Set(sheets());
  render(<ChakraProvider value={makeSystem()}>{null}</ChakraProvider>);
  const css = sheets()
    .filter((sheet) => !before.has(sheet))
    .map(({ textContent }) => textContent)
    .join("");
  cleanup();
  expect(css).toContain("--mk-colors-bg-panel");
  expect(plain(systemCss())).toBe(plain(css));
});
