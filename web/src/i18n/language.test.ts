import { describe, expect, it } from "vitest";
import { accountLanguage, detectLanguage, languageOf } from "./language.ts";

describe("[i18n] language", () => {
  it("[i18n] prefers a stored choice over the browser", () => {
    expect(detectLanguage("en", ["zh-CN", "ko"])).toBe("en");
  });
  it("[i18n] takes the first supported language of the browser", () => {
    expect(detectLanguage(null, ["fr-FR", "zh-Hans-CN", "en"])).toBe("zh");
  });
  it("[i18n] falls back to Korean, also for an unsupported stored language", () => {
    expect(detectLanguage("tlh", ["fr"])).toBe("ko");
    expect(detectLanguage(null, [])).toBe("ko");
  });
  it("[i18n] reads a tag by its primary part, case-insensitively", () => {
    expect(languageOf("KO")).toBe("ko");
    expect(languageOf("en_GB")).toBe("en");
    expect(languageOf("kok-IN")).toBeNull();
  });
  it("[i18n] uses the account's language without a choice and a browser preference", () => {
    expect(accountLanguage("ZH", null, ["fr-FR", "de"])).toBe("zh");
    expect(accountLanguage("ZH", null, ["fr-FR", "en-GB"])).toBeNull();
    expect(accountLanguage("ZH", "ko", ["fr-FR"])).toBeNull();
    expect(accountLanguage(undefined, null, ["fr-FR"])).toBeNull();
  });
});
