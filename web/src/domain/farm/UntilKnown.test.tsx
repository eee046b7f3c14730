import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { UntilKnown } from "./UntilKnown.tsx";

const NOTHING = "등록된 센서가 없습니다";
const UNKNOWN = "지금은 확인할 수 없습니다";
const NOT_KNOWN = "농장을 아직 불러오지 못했습니다";

describe("an empty page", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<UntilKnown loading={<p>불러오는 중</p>}>{NOTHING}</UntilKnown>);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const shown = () =>
    ["불러오는 중", NOTHING, NOT_KNOWN, UNKNOWN].filter((text) => screen.queryByText(text) !== null);

  it("[KNOW-1] shows the empty text only after the first snapshot, and while the page is live", () => {
    expect(shown()).toEqual(["불러오는 중"]);
    page.link("live");
    expect(shown()).toEqual([NOTHING]);
    page.link("reconnecting");
    expect(shown()).toEqual([NOTHING]);
    page.link("notLive");
    expect(shown()).toEqual([UNKNOWN]);
  });

  it("[LIVE-1] shows a failed first connection with advice, and the content once the snapshot arrives", () => {
    page.link("notLive");
    expect(shown()).toEqual([NOT_KNOWN]);
    expect(screen.getByRole("button", { name: "새로 고침" })).not.toBeNull();
    page.link("live");
    expect(shown()).toEqual([NOTHING]);
  });
});
