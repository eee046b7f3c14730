// @vitest-environment jsdom
import i18next from "i18next";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseLanguage, startI18n } from "../i18n/index.ts";
import { LANGUAGE_KEY } from "../i18n/language.ts";
import { page, titleOf } from "./page.ts";

const Empty = () => null;

describe("[page]", () => {
  beforeEach(async () => {
    localStorage.setItem(LANGUAGE_KEY, "ko");
    await startI18n();
  });

  it("[page] loads its translations beside its code, and in each language chosen later", async () => {
    const route = page("/login", () => Promise.resolve(Empty), ["login"]);
    await route.loader();
    expect(i18next.t("login:title")).toBe("로그인");
    await chooseLanguage("en");
    expect(i18next.t("login:title")).toBe("Log in");
  });

  it("[page] has translations in a language chosen while they were loading", async () => {
    await Promise.all([
      page("/account", () => Promise.resolve(Empty), ["account"]).loader(),
      chooseLanguage("zh"),
    ]);
    expect(i18next.language).toBe("zh");
    expect(i18next.exists("account:title", { lng: "zh", fallbackLng: [] })).toBe(true);
  });

  it("[page] is requested again by the next visit after a failed load, and then not again", async () => {
    let visits = 0;
    const route = page("/login", async () => {
      visits += 1;
      if (visits === 1) throw new TypeError("Failed to fetch dynamically imported module");
      return Empty;
    }, ["login"]);
    await expect(route.loader()).rejects.toMatchObject({ name: "PageMissing", failures: 1 });
    await expect(route.loader()).resolves.toBeNull();
    await route.loader();
    expect(visits).toBe(2);
  });

  it("[page] for administrators is titled by the message that other users see", () => {
    const { handle } = page("/adminpage/users", () => Promise.resolve(Empty), ["account"]);
    const handles = [{ title: "shell:forbidden.title", forAdmins: true }, handle];
    expect(titleOf(handles, false)).toBe("shell:forbidden.title");
    expect(titleOf(handles, true)).toBe("account:title");
  });

  it("[page] is titled by the first of its namespaces", () => {
    const { handle } = page("/sensors/type", () => Promise.resolve(Empty), ["log", "sensors"]);
    expect(titleOf([{ title: "shell:nav.home" }, undefined, handle], false)).toBe("log:title");
    for (const none of [undefined, null, "x", {}, { title: 3 }]) expect(titleOf([none], false)).toBeNull();
  });
});
