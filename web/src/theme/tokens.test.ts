import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contrastRatio } from "../testing/contrast.ts";

/** Without indentation: a rule may stand inside a media query. */
const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8").replaceAll(/^ +/gm, "");

/** Return the tokens that a rule of the style sheet declares, by name. */
function declarationsOf(selector: string): ReadonlyMap<string, string> {
  const [, rule = ""] = css.split(`\n${selector} {`);
  const declared = rule.slice(0, rule.indexOf("\n}")).matchAll(/--mk-([a-z0-9-]+): ([^;]+);/g);
  return new Map([...declared].map(([, name = "", value = ""]) => [name, value]));
}

const light = declarationsOf(":root");
const dark = new Map([...light, ...declarationsOf(".dark")]);
const MODES = { light, dark };
type Mode = keyof typeof MODES;
const modes: readonly Mode[] = ["light", "dark"];

/** Return a colour; an unknown one fails the test. */
function colour(name: string, mode: Mode): string {
  const found = MODES[mode].get(`colors-${name}`);
  if (found === undefined) throw new Error(`tokens.css has no colour ${name}`);
  return found;
}
const contrast = (one: string, other: string, mode: Mode): number =>
  contrastRatio(colour(one, mode), colour(other, mode));

/** Contrast ratios on the panel, light and dark, as the design states them. */
const stated: readonly (readonly [string, number, number])[] = [
  ["fg", 17.7, 14.3],
  ["fg-muted", 8.0, 8.7],
  ["fg-subtle", 5.7, 6.0],
  ["border-strong", 3.9, 3.8],
  ["alarm-p1-fg", 6.9, 6.2],
  ["alarm-p2-fg", 6.3, 8.7],
  ["alarm-p3-fg", 6.8, 12.6],
  ["flow", 6.6, 7.8],
  ["series-teal", 5.4, 8.0],
  ["series-olive", 5.6, 8.7],
  ["series-brown", 6.2, 7.5],
  ["series-slate", 6.2, 7.8],
  ["series-plum", 6.1, 7.4],
  ["series-blue", 5.8, 7.8],
];

describe("[palette] contrast", () => {
  for (const [name, onLight, onDark] of stated) {
    it(`[palette] ${name} reaches its stated ratio on the panel, light and dark`, () => {
      expect(contrast(name, "bg-panel", "light")).toBeCloseTo(onLight, 0);
      expect(contrast(name, "bg-panel", "dark")).toBeCloseTo(onDark, 0);
    });
  }

  it("[palette] text colours reach 4.5 : 1 on every background", () => {
    for (const text of ["fg", "fg-muted", "fg-subtle"])
      for (const ground of ["bg-canvas", "bg-panel", "bg-sunk"])
        for (const mode of modes)
          expect(contrast(text, ground, mode), `${text} on ${ground}, ${mode}`).toBeGreaterThanOrEqual(4.5);
  });

  it("[palette] text reaches 4.5 : 1 on the tint of flowing water too", () => {
    for (const text of ["fg", "fg-muted", "fg-subtle", "flow"])
      for (const mode of modes)
        expect(contrast(text, "flow-tint", mode), `${text}, ${mode}`).toBeGreaterThanOrEqual(4.5);
  });

  it("[palette] dark-mode text reaches 4.5 : 1 on the side menu's earth colour", () => {
    for (const text of ["fg", "fg-muted"])
      for (const ground of ["earth", "earth-sunk"])
        expect(contrast(text, ground, "dark"), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it("[palette] text on an alarm's tint and solid colour reaches 4.5 : 1", () => {
    for (const alarm of ["alarm-p1", "alarm-p2", "alarm-p3"])
      for (const mode of modes) {
        const about = `${alarm}, ${mode}`;
        expect(contrast("fg", `${alarm}-tint`, mode), about).toBeGreaterThanOrEqual(4.5);
        expect(contrast(`${alarm}-fg`, `${alarm}-tint`, mode), about).toBeGreaterThanOrEqual(4.5);
        expect(contrast(`${alarm}-contrast`, `${alarm}-solid`, mode), about).toBeGreaterThanOrEqual(4.5);
      }
  });
});

describe("[theme] sizes", () => {
  const sizeOf = (selector: string, name: string) => declarationsOf(selector).get(`font-sizes-${name}`);

  it("[theme] every letter has a size of its own on a phone or a wall, and grows with the wall's factor", () => {
    for (const name of ["caption", "label", "body", "title", "heading", "reading", "hero"]) {
      expect(sizeOf(":root", name)).toMatch(/^[\d.]+rem$/);
      expect(sizeOf('[data-surface="wall"]', name)).toMatch(/^calc\(\d+px \* var\(--wall-k, 1\)\)$/);
    }
    expect(sizeOf('[data-surface="phone"]', "reading")).toBe("2rem");
  });

  it("[theme] ages, serials and lines below a name have at least 14 px on a phone, labels on a desktop", () => {
    const pixels = (selector: string, name: string) => 16 * Number.parseFloat(sizeOf(selector, name) ?? "");
    expect(pixels('[data-surface="phone"]', "caption")).toBeGreaterThanOrEqual(14);
    expect(pixels('[data-surface="phone"]', "label")).toBeGreaterThanOrEqual(14);
    expect(pixels(":root", "label")).toBeGreaterThanOrEqual(14);
  });
});
