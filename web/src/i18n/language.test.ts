import { describe, expect, it } from "vitest";
import { accountLanguage, detectLanguage, languageOf } from "./language.ts";

describe("[i18n] language", () => {
  it("[i18n] a stored choice wins over the browser", () => {
    expect(detectLanguage("en", ["zh-CN", "ko"])).toBe("en");
  });
  it("[i18n] the first language of the browser that we speak is taken", () => {
    expect(detectLanguage(null, ["fr-FR", "zh-Hans-CN", "en"])).toBe("zh");
  });
  it("[i18n] Korean is the fallback, also for a stored language that nobody speaks", () => {
    expect(detectLanguage("tlh", ["fr"])).toBe("ko");
    expect(detectLanguage(null, [])).toBe("ko");
  });
  it("[i18n] a tag is read by its primary part, without regard to case", () => {
    expect(languageOf("KO")).toBe("ko");
    expect(languageOf("en_GB")).toBe("en");
    expect(languageOf("kok-IN")).toBeNull();
  });
  it("[i18n] the account's language counts where neither a choice nor the browser says one", () => {
    expect(accountLanguage("ZH", null, ["fr-FR", "de"])).toBe("zh");
    expect(accountLanguage("ZH", null, ["fr-FR", "en-GB"])).toBeNull();
    expect(accountLanguage("ZH", "ko", ["fr-FR"])).toBeNull();
    expect(accountLanguage(undefined, null, ["fr-FR"])).toBeNull();
  });
});
