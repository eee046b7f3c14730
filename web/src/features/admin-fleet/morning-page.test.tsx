import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildFleetAccount, createFleetBench, type FleetBench } from "../../testing/fleet-bench.tsx";
import { MorningPage } from "./MorningPage.tsx";

const contact = {
  id: 1,
  createdDate: "2026-11-21 11:00:00",
  userId: "u1",
  username: "kim",
  name: "김다온",
  title: "센서가 끊깁니다",
  message: "3동입니다",
};

describe("the morning page", () => {
  let bench: FleetBench;
  beforeEach(async () => {
    bench = await createFleetBench();
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const card = (title: string) => {
    const whole = screen
      .getByRole("heading", { name: new RegExp(`^${title}`) })
      .closest("section, article, div.card");
    if (!(whole instanceof HTMLElement)) throw new Error(`${title} is no card`);
    return within(whole);
  };
  const tiles = () =>
    within(screen.getByRole("list", { name: "상태별 장치 수" }))
      .getAllByRole("link")
      .map(({ textContent }) => textContent);
  const open = () => bench.open(<MorningPage />, "/adminpage");

  it("[fleet] nothing is counted before the fleet has come, and the two ways lead on meanwhile", async () => {
    await open();
    expect(screen.queryByRole("list", { name: "상태별 장치 수" })).toBeNull();
    expect(screen.queryByText("연락이 끊긴 장치가 없습니다")).toBeNull();
    expect(screen.getByRole("link", { name: "사용자 관리" }).getAttribute("href")).toBe("/adminpage/users");
    expect(screen.getByRole("link", { name: "센서 관리" }).getAttribute("href")).toBe("/adminpage/sensors");
  });

  it("[fleet] a fleet without devices says so under every question", async () => {
    await open();
    await bench.say({});
    expect(tiles()).toEqual(["온라인0", "지연0", "오프라인0"]);
    for (const words of [
      "연락이 끊긴 장치가 없습니다",
      "어제 저녁 이후 끊기거나 돌아온 장치가 없습니다",
      "배터리와 신호가 모두 괜찮습니다",
      "지난 24시간 동안 확인되지 않은 명령이 없습니다",
      "장치가 있는 계정이 없습니다",
    ])
      expect(screen.getByText(words)).toBeTruthy();
    await screen.findByText("받은 문의가 없습니다");
  });

  it("[fleet] devices are counted, the silent-longest stand first, and needs are ranked", async () => {
    bench.answer = (
      (before) => (call: string) =>
        call.startsWith("GET /api/v1/admin/contacts")
          ? { content: [contact], totalElements: 7 }
          : before(call)
    )(bench.answer);
    await open();
    await bench.say(
      {
        well: {},
        late: { quality: "late", heardAt: "2026-11-21T02:50:00Z" },
        silent: { quality: "offline", heardAt: "2026-11-19T03:00:00Z" },
        empty: { battery: 2 },
        weak: { rssi: -96, battery: 18 },
      },
      buildFleetAccount({ devices: 5, offline: 1, late: 1, quality: "offline" }),
    );
    expect(tiles()).toEqual(["온라인3", "지연1", "오프라인1"]);
    expect(screen.getByText("계정 1개 · 장치 5대")).toBeTruthy();
    const names = (title: string) =>
      card(title)
        .getAllByRole("link")
        .map((link) => link.querySelector(".morning-line__name")?.textContent)
        .filter(Boolean);
    expect(names("오래 연락이 없는 장치")).toEqual(["silent", "late"]);
    expect(names("손봐야 할 장치")).toContain("empty");
    expect(card("계정별 상태").getByText("오프라인 1 · 지연 1")).toBeTruthy();
    await screen.findByText("센서가 끊깁니다");
    expect(card("받은 문의").getByRole("link", { name: "모두 보기" }).getAttribute("href")).toBe(
      "/adminpage/contacts",
    );
  });

  it("[fleet] a device that goes is counted and listed as it goes", async () => {
    await open();
    await bench.say({ well: {} }, buildFleetAccount({ devices: 1 }));
    expect(screen.getByText("연락이 끊긴 장치가 없습니다")).toBeTruthy();
    const at = new Date(bench.live.clock.now()).toISOString();
    await bench.change({
      "device:well": { quality: "offline", since: at, flip: { at, online: false, last: null } },
    });
    expect(tiles()).toEqual(["온라인0", "지연0", "오프라인1"]);
    expect(card("오래 연락이 없는 장치").getByText("well")).toBeTruthy();
    expect(card("어제 저녁 이후 바뀐 장치").getByText("연결 끊김")).toBeTruthy();
  });

  it("[ONL-2] without a live link nobody says that a device or an account is online", async () => {
    await open();
    await bench.say({ low: { battery: 3 } }, buildFleetAccount({ devices: 1 }));
    const marks = () =>
      [...document.querySelectorAll("[data-state]")].map((mark) => mark.getAttribute("data-state"));
    expect(card("계정별 상태").getByText("모두 온라인")).toBeTruthy();
    await bench.lose();
    expect(card("계정별 상태").queryByText("모두 온라인")).toBeNull();
    expect(marks()).toContain("unknown");
  });

  it("[fleet] who is not given the fleet is told so", async () => {
    await open();
    await bench.refuse();
    expect(screen.getByRole("alert").textContent).toContain("전체 장치를 불러올 수 없습니다");
  });
});
