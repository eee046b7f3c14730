import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../i18n/language.ts";
import { type BasemapParams, basemapText, embeddedStyle, mapColors } from "./embedded-style.ts";

const FILES = {
  world: "/assets/world.geojson",
  korea: "/assets/korea.geojson",
  notice: "/assets/NOTICE.txt",
};
const params = (change: Partial<BasemapParams> = {}): BasemapParams => ({
  language: "ko",
  colors: mapColors(false),
  fonts: ["Pretendard Variable", "sans-serif"],
  scale: 1,
  ...change,
});

describe("embedded map", () => {
  it("[maps] requests only its own origin: no glyphs, no sprites, no tiles", () => {
    const style = embeddedStyle(FILES, params());
    expect(style.glyphs).toBeUndefined();
    expect(style.sprite).toBeUndefined();
    expect(Object.values(style.sources).map(({ type }) => type)).toEqual(["geojson", "geojson", "geojson"]);
    expect(JSON.stringify(style)).not.toMatch(/https?:\/\//);
  });

  it("[maps] labels places in the interface language", () => {
    const said = LANGUAGES.map((language) =>
      JSON.stringify(embeddedStyle(FILES, params({ language })).sources),
    );
    for (const [index, word] of ["논산", "论山", "Nonsan"].entries()) {
      expect(said.map((each) => each.includes(word)).indexOf(true)).toBe(index);
      expect(said.filter((each) => each.includes(word))).toHaveLength(1);
    }
  });

  it("[maps] differs between dark and light in every colour and nothing else", () => {
    const [light, dark] = [false, true].map((mode) => {
      const colors = mapColors(mode);
      let text = JSON.stringify(embeddedStyle(FILES, params({ colors })));
      for (const color of Object.values(colors)) text = text.replaceAll(color, "a colour");
      return text;
    });
    expect(light).toBe(dark);
    expect(
      Object.entries(mapColors(false)).every(
        ([name, color]) =>
          !Object.entries(mapColors(true)).some(([other, dark]) => other === name && dark === color),
      ),
    ).toBe(true);
  });

  it("[maps] names its data sources with their licences", () => {
    const { korea } = embeddedStyle(FILES, params()).sources;
    expect(korea).toMatchObject({ attribution: expect.stringContaining(FILES.notice) });
  });

  it("[wall] enlarges labels with the viewing distance", () => {
    const sizes = (scale: number) =>
      embeddedStyle(FILES, params({ scale })).layers.flatMap((layer) =>
        layer.type === "symbol" ? [layer.layout?.["text-size"]] : [],
      );
    expect(sizes(1)).toEqual([14, 14, 13, 12]);
    expect(sizes(3)).toEqual([42, 42, 39, 36]);
  });

  it("[maps] knows the characters of all labels, so that fonts load before drawing", () => {
    expect([..."서울논산"].every((character) => basemapText("ko").includes(character))).toBe(true);
    expect([..."首尔论山"].every((character) => basemapText("zh").includes(character))).toBe(true);
  });
});
