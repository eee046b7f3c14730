import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { ControllersPage } from "./ControllersPage.tsx";

const BOX = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: null,
  quality: null,
  link: null,
};

describe("the list of controllers", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench(["controller"]);
    page.show(<ControllersPage />);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-2] a kept farm says nothing of water and channels, which are not kept", () => {
    page.put({ "controller:c1": BOX });
    expect(screen.queryByText("지금 물을 주는지 알 수 없습니다")).not.toBeNull();
    expect(screen.queryByText("채널을 아직 알 수 없습니다")).not.toBeNull();
    page.link("live");
    expect(screen.queryByText("지금은 물을 주지 않습니다")).not.toBeNull();
    expect(screen.queryByText("채널이 없습니다")).not.toBeNull();
    page.link("notLive");
    expect(screen.queryByText("지금 물을 주는지 알 수 없습니다")).not.toBeNull();
  });

  it("[LIVE-1] holds the places of the list while it starts, and says that there is none only when that is known", () => {
    expect(screen.queryByRole("heading", { name: "컨트롤러" })).not.toBeNull();
    page.link("notLive");
    expect(screen.queryByText("농장을 아직 불러오지 못했습니다")).not.toBeNull();
    page.link("live");
    expect(screen.queryByText("등록된 컨트롤러가 없습니다")).not.toBeNull();
  });
});
