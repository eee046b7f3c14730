import { act, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { beforeEach, expect, it, vi } from "vitest";
import { LANGUAGE_KEY } from "./language.ts";
import { chooseLanguage, loadTranslations, startTranslations } from "./translations.ts";

function Texts() {
  const { t, i18n } = useTranslation(["controller", "common"]);
  return (
    <p>
      {i18n.language}: {t("title")}, {t("common:action.save")}
    </p>
  );
}
const text = () => screen.getByText(/:/).textContent;

beforeEach(async () => {
  localStorage.setItem(LANGUAGE_KEY, "ko");
  await startTranslations(["app"]);
});

it("[i18n] texts follow the chosen language, which is stored and set on the page", async () => {
  render(<Texts />);
  expect(text()).toBe("ko: 컨트롤러, 저장");
  await act(() => chooseLanguage("en"));
  expect(text()).toBe("en: Controller, Save");
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe("en");
  expect(document.documentElement.lang).toBe("en");
});

it("[i18n] translations loaded later are there in each language chosen later", async () => {
  expect(i18next.exists("admin:title")).toBe(false);
  await loadTranslations("admin");
  expect(i18next.exists("admin:title", { lng: "ko" })).toBe(true);
  await chooseLanguage("en");
  expect(i18next.exists("admin:title", { lng: "en", fallbackLng: [] })).toBe(true);
});

it("[i18n] a language chosen while translations load has them too", async () => {
  await Promise.all([loadTranslations("admin"), chooseLanguage("zh")]);
  expect(i18next.language).toBe("zh");
  expect(i18next.exists("admin:title", { lng: "zh", fallbackLng: [] })).toBe(true);
});

it("[i18n] a language whose translations fail to load changes nothing, and loads at the next choice", async () => {
  // Another test may have loaded the language.
  vi.resetModules();
  const fresh = await import("./translations.ts");
  const { default: translator } = await import("i18next");
  await fresh.startTranslations(["app"]);
  const served = globalThis.fetch;
  globalThis.fetch = () => Promise.resolve(new Response("<!doctype html>"));
  try {
    await expect(fresh.chooseLanguage("en")).rejects.toThrow();
  } finally {
    globalThis.fetch = served;
  }
  expect(translator.language).toBe("ko");
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe("ko");
  await fresh.chooseLanguage("en");
  expect(translator.t("common:action.save")).toBe("Save");
});
