import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench, refusal } from "../../../testing/page-bench.tsx";
import type { FarmItem } from "../farm-list.ts";
import { WateringList } from "./WateringList.tsx";

const FARM: FarmItem = {
  id: "f1",
  name: "논산 농장",
  description: "",
  createdDate: null,
  serial: null,
  devices: [],
  units: [],
};

const watering = (id: string, hour: number) => ({
  id,
  channelId: "11",
  farmIds: ["f1"],
  valveName: id,
  number: 1,
  cause: "person",
  by: null,
  start: `2026-11-22T0${hour}:00:00.000Z`,
  end: `2026-11-22T0${hour}:10:00.000Z`,
  endReason: "done",
  endedBy: null,
  moistureBefore: null,
  moistureAfter: null,
  litres: null,
  plannedEnd: null,
});
const pageOf = (next: string | null, ...waterings: readonly object[]) => ({
  timezone: "Asia/Seoul",
  today: "2026-11-22",
  keptFrom: "2026-11-15T04:30:00.000Z",
  knownFrom: "2026-11-15T04:30:00.000Z",
  from: "2026-11-15T04:30:00.000Z",
  to: "2026-11-22T09:00:00.000Z",
  waterings,
  next,
  sums: [],
});
const names = () => screen.getAllByRole("listitem").map((line) => line.querySelector("span")?.textContent);

describe("waterings of a farm", () => {
  afterEach(cleanup);

  it("[WAT-2] loads older pages when asked, and asks again for one that failed", async () => {
    const page = await createPageBench();
    let answers = false;
    page.answer = (call) => {
      if (call.includes("cursor=a")) return answers ? pageOf("b", watering("둘", 4)) : refusal(503, "store");
      if (call.includes("cursor=b")) return pageOf(null, watering("셋", 2));
      return pageOf("a", watering("하나", 5));
    };
    page.show(<WateringList farm={FARM} />);
    page.link("live");
    fireEvent.click(await screen.findByRole("button", { name: "더 보기" }));
    answers = true;
    fireEvent.click(await screen.findByRole("button", { name: "다시 시도" }));
    await screen.findByText("둘");
    expect(screen.queryByRole("alert")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "더 보기" }));
    await screen.findByText("셋");
    expect(names()).toEqual(["하나 1CH", "둘 1CH", "셋 1CH"]);
    expect(screen.queryByRole("button", { name: "더 보기" })).toBeNull();
    const asked = page.requests.map(({ call }) => new URLSearchParams(call.split("?")[1]).get("cursor"));
    expect(asked).toEqual([null, "a", "a", "b"]);
  });

  it("[WAT-2] keeps what a newer watering pushes off the newest page", async () => {
    const page = await createPageBench();
    let newest = pageOf("a", watering("둘", 4));
    page.answer = (call) => (call.includes("cursor") ? pageOf(null, watering("셋", 2)) : newest);
    page.show(<WateringList farm={FARM} />);
    page.link("live");
    fireEvent.click(await screen.findByRole("button", { name: "더 보기" }));
    await screen.findByText("셋");
    newest = pageOf("a", watering("하나", 5));
    const { valveName: _, ...live } = watering("하나", 5);
    page.put({ "watering:1": { ...live, id: "1" } });
    await screen.findByText("하나", undefined, { timeout: 8_000 });
    expect(names()).toEqual(["하나 1CH", "둘 1CH", "셋 1CH"]);
  });
});
