import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { ReadingBanner } from "./ReadingBanner.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
  delete document.documentElement.dataset.surface;
});

const show = async (surface: "phone" | "desktop") => {
  const bench = await createPageBench();
  document.documentElement.dataset.surface = surface;
  bench.show(<ReadingBanner account={{ id: "a1", name: "김다온" }} farm="논산 다온농장" />);
  return screen.getByRole("region", { name: "다른 계정의 농장을 보고 있습니다" }).textContent;
};

it("[HS-2] shows the farm's account, read-only state and exit above its pages", async () => {
  const said = await show("desktop");
  expect(said).toContain("김다온 님의 농장");
  expect(said).toContain("논산 다온농장 · 보기 전용: 여기서는 바꾸거나 물을 줄 수 없습니다");
  expect(screen.getByRole("link", { name: "나가기" })).toBeTruthy();
});

it("[HS-2] shows two short lines on a phone", async () => {
  const said = await show("phone");
  expect(said).toBe("김다온 님의 농장보기 전용나가기");
});
