import { expect, test } from "vitest";
import { isTimeZone, languageOf, writtenLanguage } from "./account-fields.ts";

test("[account] a language is read without regard to case and stored in capitals", () => {
  expect(["ko", "KO", "En", " zh "].map(languageOf)).toEqual(["KO", "KO", "EN", "ZH"]);
  expect(["", "fr", "korean", "ko-KR"].map(languageOf)).toEqual([null, null, null, null]);
});

test("[account] accepts only names of zones as time zones", () => {
  expect(["Asia/Seoul", "UTC", "America/Argentina/Buenos_Aires"].every(isTimeZone)).toBe(true);
  expect(["", "Seoul", "+09:00", "Asia/Nowhere", "Asia/Seoul'; drop"].some(isTimeZone)).toBe(false);
});

test("[account] writes a language as farm APIs expect it, and reads its own form", () => {
  expect((["KO", "EN", "ZH"] as const).map(writtenLanguage)).toEqual(["KO", "en", "zh"]);
  for (const text of ["KO", "ko", "en", "EN"]) expect(languageOf(text)).toBe(text.toUpperCase());
});
