import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { NextCard } from "./NextCard.tsx";

const UNKNOWN = "서버에 연결되면 예정을 보여 드립니다";

describe("next waterings", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<NextCard valves={[]} preview={{ value: null, failure: null, again: () => undefined }} />);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-2] reports that they are unknown without a server, instead of loading forever", () => {
    expect(screen.queryByText(UNKNOWN)).toBeNull();
    page.link("notLive");
    expect(screen.queryByText(UNKNOWN)).not.toBeNull();
    page.link("live");
    expect(screen.queryByText(UNKNOWN)).toBeNull();
  });
});
