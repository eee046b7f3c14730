import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { channelEntry } from "../../wall/testing/build-live-farm.ts";
import { CommandNews } from "./CommandNews.tsx";

const OFFLINE = /서버에 연결할 수 없습니다/;
const UNSURE = /전달되었는지 알 수 없습니다/;

describe("command news", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[CMD-8] drops the reason of a lost link once it is back, and keeps the doubt until the valve answers", () => {
    const [id, value] = channelEntry("11");
    page.link("notLive");
    page.show(
      <CommandNews
        channel={{ id, name: "Bed", value }}
        sent={{ state: "unsure", target: 2, reason: "network" }}
      />,
    );
    expect(screen.queryByText(OFFLINE)).not.toBeNull();
    page.link("live");
    expect(screen.queryByText(UNSURE)).not.toBeNull();
    expect(screen.queryByText(OFFLINE)).toBeNull();
  });
});
