import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { SensorTablePage } from "./SensorTablePage.tsx";

describe("table of a sensor type", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<SensorTablePage />, "/sensors/datalist?deviceType=SMS");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-2] shows no count before the first snapshot", () => {
    const shown = () => [screen.queryByText(/0개/), screen.queryByText("이 종류의 센서가 없습니다")];
    expect(shown()).toEqual([null, null]);
    page.link("notLive");
    expect(shown()).toEqual([null, null]);
    page.link("live");
    expect(shown()).not.toContain(null);
  });
});
