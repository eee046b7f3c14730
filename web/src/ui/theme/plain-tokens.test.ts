import { describe, expect, it } from "vitest";
import { PALETTE } from "./palette.ts";
import { plainTokens } from "./plain-tokens.ts";

describe("tokens without the library", () => {
  it("[theme] define the same variables with the palette's colours, in both modes", () => {
    const css = plainTokens("wall");
    const [day = "", night = ""] = css.split("}.dark{");
    expect(day).toContain(`--mk-colors-alarm-p1-fg:${PALETTE.p1.light};`);
    expect(night).toContain(`--mk-colors-alarm-p1-fg:${PALETTE.p1.dark};`);
    expect(day).toContain(`--mk-colors-fg:${PALETTE.fg.light};`);
    expect(day).toContain(`--mk-colors-flow:${PALETTE.flow.light};`);
  });

  it("[theme] use the sizes of their surface", () => {
    expect(plainTokens("wall")).toContain("--mk-font-sizes-reading:calc(76px * var(--wall-k, 1));");
    expect(plainTokens("phone")).toContain("--mk-font-sizes-reading:2rem;");
    expect(plainTokens("wall")).toContain("--mk-spacing-card:1.5rem;");
  });
});
