import { expect, it } from "vitest";
import { theme } from "./theme.ts";

it("[layout] gives a dark header or menu on a light page the dark mode's colours", () => {
  // A variable has the value of the element that declares it: declared on <html> alone it is the page's mode.
  expect(JSON.stringify(theme.getTokenCss())).toContain(":where(html, .dark)");
  expect(JSON.stringify(theme.getGlobalCss())).toMatch(/&\.dark":\{"--ck-colors-color-palette-/);
});
