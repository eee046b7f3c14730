import { act, cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it } from "vitest";
import { speakKorean } from "../testing/speak-korean.ts";
import { useTranslation, WordsProvider } from "./use-translation.ts";

const seen: unknown[] = [];

function Words({ count }: { count: number }) {
  const { t, i18n } = useTranslation(["controller", "common"]);
  seen.push(t);
  return (
    <p>
      {i18n.language}: {t("title")}, {t("common:action.save")}, {t("common:duration.left", { time: count })}
    </p>
  );
}

const page = (count: number) => (
  <WordsProvider>
    <Words count={count} />
  </WordsProvider>
);
const text = () => screen.getByText(/:/).textContent;

beforeEach(async () => {
  await speakKorean();
  seen.length = 0;
});
afterEach(async () => {
  cleanup();
  i18next.removeResourceBundle("en", "controller").removeResourceBundle("en", "common");
  await i18next.changeLanguage("ko");
});

it("[i18n] texts follow the current language", async () => {
  render(page(1));
  expect(text()).toBe("ko: 컨트롤러, 저장, 1 남음");
  i18next.addResourceBundle("en", "controller", { title: "Controllers" });
  i18next.addResourceBundle("en", "common", {
    action: { save: "Save" },
    duration: { left: "{{time}} left" },
  });
  await act(() => i18next.changeLanguage("en"));
  expect(text()).toBe("en: Controllers, Save, 1 left");
});

it("[i18n] a text is translated again with new parameters, and after more translations load", () => {
  const { rerender } = render(page(1));
  rerender(page(2));
  expect(text()).toBe("ko: 컨트롤러, 저장, 2 남음");
  expect(new Set(seen).size).toBe(1);
  const before = i18next.getResource("ko", "controller", "title");
  i18next.addResource("ko", "controller", "title", "제어기");
  rerender(page(3));
  expect(text()).toBe("ko: 제어기, 저장, 3 남음");
  i18next.addResource("ko", "controller", "title", String(before));
});
