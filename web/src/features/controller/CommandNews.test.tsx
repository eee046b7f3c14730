import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { channelEntry } from "../../wall/testing/build-live-farm.ts";
import { CommandNews } from "./CommandNews.tsx";

const OFFLINE = /서버에 연결할 수 없습니다/;
const UNSURE = /전해졌는지 알 수 없습니다/;

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
        sent={{ state: "unsure", target: 1, at: Date.now(), reason: "network" }}
        onTakeBack={() => undefined}
      />,
    );
    expect(screen.queryByText(OFFLINE)).not.toBeNull();
    page.link("live");
    expect(screen.queryByText(UNSURE)).not.toBeNull();
    expect(screen.queryByText(OFFLINE)).toBeNull();
  });

  it("[CMD-8] says that a close is being sent, then that it is remembered, and never that it was sent", () => {
    const [id, value] = channelEntry("11");
    page.link("live");
    const takenBack: string[] = [];
    const show = (secondsAgo: number) =>
      page.show(
        <CommandNews
          channel={{ id, name: "Bed", value }}
          sent={{ state: "sending", target: 2, at: Date.now() - secondsAgo * 1_000, id: "mine" }}
          onTakeBack={(each) => takenBack.push(each)}
        />,
      );
    show(0);
    expect(screen.getByTestId("command-news").textContent).toContain("닫기 명령을 보내는 중");
    expect(screen.queryByRole("button", { name: "보내지 않기" })).toBeNull();
    cleanup();
    show(4);
    const news = screen.getByTestId("command-news").textContent;
    expect(news).toContain("닫기를 기억했습니다. 연결되는 대로 보냅니다");
    expect(news).not.toContain("보냈습니다");
    fireEvent.click(screen.getByRole("button", { name: "보내지 않기" }));
    expect(takenBack).toEqual(["mine"]);
  });
});
