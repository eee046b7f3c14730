import { expect, it } from "vitest";
import { longHex } from "./map-colors.ts";

it("[maps] expands a colour shortened by the style sheet", () => {
  expect(longHex("#fff")).toBe("#ffffff");
  expect(longHex("#1aC")).toBe("#11aaCC");
  expect(longHex("#14191c")).toBe("#14191c");
});
