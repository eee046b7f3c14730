import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provideBrowserParts } from "../testing/browser-parts.ts";
import { speakKorean } from "../testing/speak-korean.ts";
import Calendar from "./calendar.tsx";
import { UiProvider } from "./provider.tsx";

describe("calendar", () => {
  const picked: (readonly [string, string])[] = [];
  beforeEach(async () => {
    provideBrowserParts();
    await speakKorean();
    picked.length = 0;
  });
  afterEach(cleanup);
  const show = () =>
    render(
      <UiProvider>
        <Calendar
          start={null}
          end={null}
          today="2026-11-21"
          zone="Asia/Seoul"
          earliest="2021-11-01"
          onPick={(start, end) => picked.push([start, end])}
        />
      </UiProvider>,
    );
  const day = (date: number) => screen.getByRole("button", { name: new RegExp(`^${date}, 2026년 11월`) });

  it("[log] selects a range with two clicks in either order, and none with one", async () => {
    show();
    fireEvent.click(day(5));
    await waitFor(() => expect(day(5).getAttribute("data-selected")).toBe(""));
    expect(picked).toEqual([]);
    fireEvent.click(day(1));
    await waitFor(() => expect(picked).toEqual([["2026-11-01", "2026-11-05"]]));
  });

  it("[log] selects a range with the keyboard alone, and moves the focus", async () => {
    show();
    const focused = () => document.activeElement?.getAttribute("data-value");
    day(21).focus();
    for (const [key, next] of [
      ["ArrowLeft", "2026-11-20"],
      ["Enter", "2026-11-21"],
      ["ArrowUp", "2026-11-14"],
    ] as const) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
      await waitFor(() => expect(focused()).toBe(next));
    }
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter" });
    await waitFor(() => expect(picked).toEqual([["2026-11-14", "2026-11-20"]]));
  });

  it("[log] disables days to come", () => {
    show();
    expect(day(22).getAttribute("aria-disabled")).toBe("true");
    expect(day(21).getAttribute("aria-disabled")).not.toBe("true");
  });

  it.each([
    ["ko", "일"],
    ["zh", "一"],
  ])(
    "[log] shows whole weeks, starting on Sunday in Korea and on Monday in China",
    async (language, first) => {
      await i18next.changeLanguage(language);
      show();
      expect(document.querySelector("th")?.textContent).toBe(first);
      expect(screen.getAllByRole("gridcell").length % 7).toBe(0);
    },
  );
});
