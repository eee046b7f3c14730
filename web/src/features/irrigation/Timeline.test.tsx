import type { PlannedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { Timeline } from "./Timeline.tsx";

const plan = (start: string, end: string): PlannedWatering => ({
  id: start,
  channelId: "11",
  controllerId: "c1",
  number: 1,
  farmIds: [],
  quality: "fresh",
  kind: "reservation",
  start: `2026-11-21T${start}:00Z`,
  end: `2026-11-21T${end}:00Z`,
  basis: "time",
  overlaps: [],
});

const preview = (...planned: readonly PlannedWatering[]): WateringPreview => ({
  timezone: "Asia/Seoul",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  planned: [...planned],
  untimed: [],
  unread: [],
  truncated: false,
});

describe("next 24 hours", () => {
  let bench: PageBench;
  beforeEach(async () => {
    document.documentElement.dataset.surface = "phone";
    bench = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    delete document.documentElement.dataset.surface;
  });
  const labels = () => [...document.querySelectorAll(".timeline__label")].map((label) => label.textContent);

  it("[WAT-3] shows start and end in a bar if there is space, else the start", () => {
    bench.show(
      <Timeline
        preview={preview(plan("00:00", "00:15"), plan("03:00", "03:20"))}
        names={new Map()}
        none=""
      />,
    );
    // A letter of the mode alone would be read as a word: "예" is "yes".
    expect(labels()).toEqual(["예약 09:00", "예약 12:00–12:20"]);
  });

  it("[WAT-3] shows the ends of all bars of a channel's day after a press", () => {
    bench.show(
      <Timeline
        preview={preview(plan("00:00", "00:15"), plan("03:00", "03:20"))}
        names={new Map()}
        none=""
      />,
    );
    expect(screen.queryByText("예약 · 09:00–09:15", { selector: "li" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { expanded: false }));
    expect(screen.getByText("예약 · 09:00–09:15", { selector: "li" })).not.toBeNull();
    expect(screen.getByText("예약 · 12:00–12:20", { selector: "li" })).not.toBeNull();
  });
});
