import { expect, it } from "vitest";
import { longHex } from "./map-colors.ts";

it("[maps] a colour that a style sheet shortens is the same colour on the map", () => {
  expect(longHex("#fff")).toBe("#ffffff");
  expect(longHex("#1aC")).toBe("#11aaCC");
  expect(longHex("#14191c")).toBe("#14191c");
});
