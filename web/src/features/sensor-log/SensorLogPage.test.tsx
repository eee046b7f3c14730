import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { SensorLogPage } from "./SensorLogPage.tsx";

describe("sensor log page", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it.each([[["s1"]], [["s1", "s2"]]])("[log] says that %j were all deleted", (ids) => {
    page.show(<SensorLogPage ids={ids} />);
    const gone = () => screen.queryByText("이 센서를 찾을 수 없습니다");
    expect(gone()).toBeNull();
    page.link("notLive");
    expect(gone()).toBeNull();
    page.link("live");
    expect(gone()).not.toBeNull();
  });
});
