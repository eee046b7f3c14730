import i18next from "i18next";
import { beforeAll, expect, it } from "vitest";
import { createLabels, type Labels } from "./labels.ts";
import en from "./locales/en/app.json" with { type: "json" };

let labels: Labels;
beforeAll(async () => {
  const i18n = i18next.createInstance();
  await i18n.init({
    lng: "en",
    defaultNS: "common",
    resources: { en },
    interpolation: { escapeValue: false },
  });
  labels = createLabels(i18n, i18n.getFixedT("en", "common"));
});

const MINUTE_MS = 60_000;

it("[NAME-1] a channel is named with its number", () => {
  expect(labels.thing({ name: "Tomatoes", number: 2 })).toBe(`Tomatoes ${labels.channel(2)}`);
  expect(labels.thing({ name: "Roof" })).toBe("Roof");
});

it("[WAT-2] a duration under a minute is in seconds, a longer one in whole minutes", () => {
  expect(labels.duration(20_000)).toBe("20 s");
  expect(labels.duration(300)).toBe("1 s");
  expect(labels.duration(MINUTE_MS)).toBe("1 min");
  expect(labels.duration(299_000)).toBe("5 min");
  expect(labels.duration(0)).toBe("0 min");
});

it("[numbers] a duration from two hours on is in hours and days", () => {
  expect(labels.duration(119 * MINUTE_MS)).toBe("119 min");
  expect(labels.duration(150 * MINUTE_MS)).toBe("2 h 30 min");
  expect(labels.duration(2_880 * MINUTE_MS)).toBe("2 d");
  expect(labels.duration(4_000 * MINUTE_MS)).toBe("2 d 18 h 40 min");
});

it("[numbers] water is in litres, from ten thousand on in cubic metres", () => {
  expect(labels.litres(0)).toBe("0 L");
  expect(labels.litres(4.26)).toBe("4.3 L");
  expect(labels.litres(9_999)).toBe("9,999 L");
  expect(labels.litres(12_340)).toBe("12.3 m³");
});
