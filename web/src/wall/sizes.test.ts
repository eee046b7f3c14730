import { describe, expect, it } from "vitest";
import { arcMinutes, columnsOf, isNarrow, isTight, rowsOf, screenFactor, screenWidthMm } from "./sizes.ts";

const FULL_HD = { width: 1920, height: 1080 };
const FOUR_K = { width: 3840, height: 2160 };
/** Height of a digit in the font, em. */
const DIGIT_EM = 0.717;
const BODY_PX = 40;

describe("sizes of a wall", () => {
  it("[wall] are designed for 55 inches at three metres", () => {
    expect(screenWidthMm(55, FULL_HD)).toBeCloseTo(1218, 0);
    expect(screenFactor({ diagonalInches: 55, distanceMetres: 3 }, FULL_HD)).toBeCloseTo(1, 3);
  });

  it.each([
    [43, 3],
    [43, 5],
    [55, 3],
    [55, 5],
    [75, 3],
    [75, 5],
    [32, 2.5],
  ])(
    "[wall] a digit of the text on %i inches is seen under 20 minutes of arc from %d m",
    (diagonalInches, distanceMetres) => {
      const place = { diagonalInches, distanceMetres };
      for (const viewport of [FULL_HD, FOUR_K]) {
        const digit = BODY_PX * screenFactor(place, viewport) * DIGIT_EM;
        expect(arcMinutes(digit, place, viewport)).toBeGreaterThanOrEqual(20);
      }
    },
  );

  it("[wall] grow with the distance within the limits of a screen", () => {
    expect(screenFactor({ diagonalInches: 43, distanceMetres: 5 }, FULL_HD)).toBeCloseTo(2.13, 2);
    expect(screenFactor({ diagonalInches: 32, distanceMetres: 20 }, FULL_HD)).toBe(2.2);
    expect(screenFactor({ diagonalInches: 100, distanceMetres: 1 }, FULL_HD)).toBe(0.75);
  });

  it("[wall] fit four tiles side by side and three rows, at both resolutions", () => {
    const place = { diagonalInches: 55, distanceMetres: 3 };
    for (const viewport of [FULL_HD, FOUR_K]) {
      const factor = screenFactor(place, viewport);
      expect(columnsOf(factor, viewport)).toBe(4);
      expect(rowsOf(factor, viewport.height * 0.74, false)).toBe(3);
    }
  });

  it("[wall] fit four closer tiles on a small screen viewed from a distance", () => {
    for (const viewport of [FULL_HD, FOUR_K]) {
      const factor = screenFactor({ diagonalInches: 43, distanceMetres: 5 }, viewport);
      expect(isTight(factor, viewport)).toBe(true);
      expect(columnsOf(factor, viewport)).toBe(2);
      expect(rowsOf(factor, viewport.height * 0.5, true)).toBe(2);
      expect(isTight(screenFactor({ diagonalInches: 55, distanceMetres: 3 }, viewport), viewport)).toBe(
        false,
      );
    }
  });

  it("[UI-8] are narrow on every upright wall, and on small ones viewed from a distance", () => {
    const upright = { width: 1080, height: 1920 };
    for (const diagonalInches of [43, 55, 75]) {
      for (const distanceMetres of [3, 5]) {
        const place = { diagonalInches, distanceMetres };
        expect(isNarrow(screenFactor(place, upright), upright)).toBe(true);
        const isFar = diagonalInches / distanceMetres < 15;
        expect(isNarrow(screenFactor(place, FULL_HD), FULL_HD)).toBe(isFar);
      }
    }
  });

  it("[wall] fit at least one tile", () => {
    expect(columnsOf(9, { width: 320, height: 200 })).toBe(1);
    expect(rowsOf(9, 100, true)).toBe(1);
  });
});
