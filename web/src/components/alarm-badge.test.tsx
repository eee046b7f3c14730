import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { speakKorean } from "../testing/speak-korean.ts";
import { AlarmBadge } from "./alarm-badge.tsx";

beforeEach(speakKorean);
afterEach(cleanup);

it("[ALM-1] names the priority by its urgency: in Korean, stage 1 is the mildest", () => {
  render(
    <>
      <AlarmBadge priority={1} />
      <AlarmBadge priority={2} />
      <AlarmBadge priority={3} />
    </>,
  );
  const labels = screen.getAllByRole("img").map((badge) => badge.getAttribute("aria-label"));
  expect(labels).toEqual(["긴급 경보", "주의 경보", "참고 경보"]);
});
