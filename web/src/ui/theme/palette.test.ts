import { describe, expect, it } from "vitest";
import { contrastRatio } from "../../testing/contrast.ts";
import { PALETTE, type Pair } from "./palette.ts";

const onPanel = (pair: Pair) => [
  contrastRatio(pair.light, PALETTE.panel.light),
  contrastRatio(pair.dark, PALETTE.panel.dark),
];

/** Contrast ratios on the panel, light and dark, as the design states them. */
const stated: readonly (readonly [keyof typeof PALETTE, number, number])[] = [
  ["fg", 17.7, 14.3],
  ["fgMuted", 8.0, 8.7],
  ["fgSubtle", 5.7, 6.0],
  ["borderStrong", 3.9, 3.8],
  ["p1", 6.9, 6.2],
  ["p2", 6.3, 8.7],
  ["p3", 6.8, 12.6],
  ["flow", 6.6, 7.8],
  ["seriesTeal", 5.4, 8.0],
  ["seriesOlive", 5.6, 8.7],
  ["seriesBrown", 6.2, 7.5],
  ["seriesSlate", 6.2, 7.8],
  ["seriesPlum", 6.1, 7.4],
  ["seriesBlue", 5.8, 7.8],
];

describe("[palette] contrast", () => {
  for (const [name, light, dark] of stated) {
    it(`[palette] ${name} reaches its stated ratio on the panel, light and dark`, () => {
      const [onLight = 0, onDark = 0] = onPanel(PALETTE[name]);
      expect(onLight).toBeCloseTo(light, 0);
      expect(onDark).toBeCloseTo(dark, 0);
    });
  }

  const texts = ["fg", "fgMuted", "fgSubtle"] as const;
  const grounds = ["canvas", "panel", "sunk"] as const;
  it("[palette] text colours reach 4.5 : 1 on every background", () => {
    for (const text of texts)
      for (const ground of grounds)
        for (const mode of ["light", "dark"] as const)
          expect(
            contrastRatio(PALETTE[text][mode], PALETTE[ground][mode]),
            `${text} on ${ground}, ${mode}`,
          ).toBeGreaterThanOrEqual(4.5);
  });

  it("[palette] dark-mode text reaches 4.5 : 1 on the side menu's earth colour", () => {
    for (const text of ["fg", "fgMuted"] as const)
      for (const ground of ["earth", "earthSunk"] as const)
        for (const mode of ["light", "dark"] as const)
          expect(
            contrastRatio(PALETTE[text].dark, PALETTE[ground][mode]),
            `${text} on ${ground}, ${mode}`,
          ).toBeGreaterThanOrEqual(4.5);
  });

  it("[palette] text on an alarm's tint and solid colour reaches 4.5 : 1", () => {
    for (const p of ["p1", "p2", "p3"] as const)
      for (const mode of ["light", "dark"] as const) {
        const about = `${p}, ${mode}`;
        expect(contrastRatio(PALETTE.fg[mode], PALETTE[`${p}Tint`][mode]), about).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(PALETTE[p][mode], PALETTE[`${p}Tint`][mode]), about).toBeGreaterThanOrEqual(4.5);
        expect(
          contrastRatio(PALETTE[`${p}OnSolid`][mode], PALETTE[`${p}Solid`][mode]),
          about,
        ).toBeGreaterThanOrEqual(4.5);
      }
  });
});
