import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLanguage } from "../../i18n/translations.ts";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { createFleetBench, type FleetBench } from "../../testing/fleet-bench.tsx";
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

describe("overview page", () => {
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
  /** The tiles after the first, which counts urgent alarms. */
  const tiles = () =>
    within(screen.getByRole("list", { name: "상태별 장치 수" }))
      .getAllByRole("link")
      .slice(1)
      .map(({ textContent }) => textContent);
  const open = () => bench.open(<MorningPage />, "/adminpage");

  it("[fleet] counts nothing before the first snapshot, while its two links already work", async () => {
    await open();
    expect(screen.queryByRole("list", { name: "상태별 장치 수" })).toBeNull();
    expect(screen.queryByText("연락이 끊긴 장치가 없습니다")).toBeNull();
    expect(screen.getByRole("link", { name: "사용자 관리" }).getAttribute("href")).toBe("/adminpage/users");
    expect(screen.getByRole("link", { name: "센서 관리" }).getAttribute("href")).toBe("/adminpage/sensors");
  });

  it("[fleet] counts one account in the singular, and more in the plural", async () => {
    await open();
    const note = async (...accounts: readonly string[]) => {
      await bench.say({ d1: {} }, ...accounts.map((id) => buildFleetAccount({ id })));
      await act(() => changeLanguage("en"));
      return screen.getByRole("heading", { level: 1 }).nextElementSibling?.textContent;
    };
    expect(await note("a1")).toBe("1 account · 1 device");
    expect(await note("a1", "a2")).toBe("2 accounts · 1 device");
    await act(() => changeLanguage("ko"));
  });

  it("[fleet] says in every card that a fleet has no devices", async () => {
    await open();
    await bench.say({});
    expect(tiles()).toEqual(["실시간0", "지연0", "오프라인0"]);
    for (const texts of [
      "연락이 끊긴 장치가 없습니다",
      "어제 저녁 이후 오프라인이 되거나 돌아온 장치가 없습니다",
      "배터리와 신호가 모두 정상입니다",
      "지난 24시간 동안 실패하거나 확인되지 않은 명령이 없습니다",
      "장치가 있는 계정이 없습니다",
    ])
      expect(screen.getByText(texts)).toBeTruthy();
    await screen.findByText("받은 문의가 없습니다");
  });

  it("[fleet] shows polled devices as unknown, and none as well, before their first answer", async () => {
    await open();
    const never = { account: null, username: null, heardAt: null, battery: null, rssi: null };
    const devices = fleetOfDevices({
      d1: { ...never, quality: "unknown" },
      d2: { ...never, quality: "unknown" },
      d3: { account: null, username: null },
    });
    const list = { loaded: 3, total: 3, knownSince: null, asked: { answered: 1, of: 3 } };
    await bench.sayPart({ ...Object.fromEntries(devices), "fleet:list": list }, 1, 1);
    const asking = "아직 확인 중 · 3대 중 1대 확인";
    expect(tiles()).toEqual(["실시간1", "지연0", "오프라인0", "확인 불가2"]);
    expect(screen.getByText(`3대 · ${asking}`)).toBeTruthy();
    expect(screen.getAllByText(asking)).toHaveLength(2);
    expect(screen.queryByText("연락이 끊긴 장치가 없습니다")).toBeNull();
    expect(screen.queryByText("배터리와 신호가 모두 정상입니다")).toBeNull();
    expect(screen.getByText("이 농장 서버는 장치의 주인을 알려 주지 않습니다")).toBeTruthy();
    await bench.change({ "fleet:list": { asked: { answered: 3, of: 3 } } });
    expect(screen.queryByText(asking)).toBeNull();
    expect(screen.getByText("연락이 끊긴 장치가 없습니다")).toBeTruthy();
    await bench.change({ "device:d3": { quality: "unknown" } });
    expect(screen.getAllByText("지금은 확인할 수 없습니다")).toHaveLength(2);
  });

  it("[dead-letters] lists unknown devices that send messages, newest first", async () => {
    bench.answer = ((others) => (call: string) => {
      if (call === "GET /relay/config")
        return { apiTimezone: "Asia/Seoul", extensions: ["dead-letters"], build: "x" };
      if (call !== "GET /api/v1/admin/knocks") return others(call);
      const times = { firstAt: "2026-11-21T01:00:00.000Z", lastAt: "2026-11-21T02:00:00.000Z" };
      return [
        { kind: "serial", name: "24990001", count: 12, ...times },
        { kind: "external-id", name: "a84041000181c061", count: 1, ...times },
      ];
    })(bench.answer);
    await open();
    await bench.say({});
    await screen.findByText("24990001");
    const lines = card("등록되지 않은 장치의 접속")
      .getAllByRole("listitem")
      .map((line) => line.textContent);
    expect(lines[0]).toContain("일련번호 · 12번");
    expect(lines[1]).toContain("a84041000181c061LoRaWAN · 1번");
  });

  it("[fleet] counts devices, sorts the longest silence first and ranks needs", async () => {
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
    expect(tiles()).toEqual(["실시간3", "지연1", "오프라인1"]);
    expect(screen.getByText("계정 1개 · 장치 5대")).toBeTruthy();
    const names = (title: string) =>
      card(title)
        .getAllByRole("link")
        .map((link) => link.querySelector('[data-testid="morning-name"]')?.textContent)
        .filter(Boolean);
    expect(names("오래 연락이 없는 장치")).toEqual(["silent", "late"]);
    expect(names("점검이 필요한 장치")).toContain("empty");
    expect(card("계정별 상태").getByText("오프라인 1 · 지연 1")).toBeTruthy();
    await screen.findByText("센서가 끊깁니다");
    expect(card("받은 문의").getByRole("link", { name: "모두 보기" }).getAttribute("href")).toBe(
      "/adminpage/contacts",
    );
  });

  it("[fleet] counts and lists a device as soon as it goes offline", async () => {
    await open();
    await bench.say({ well: {} }, buildFleetAccount({ devices: 1 }));
    expect(screen.getByText("연락이 끊긴 장치가 없습니다")).toBeTruthy();
    const at = new Date(bench.live.clock.now()).toISOString();
    await bench.change({
      "device:well": { quality: "offline", since: at, flip: { at, online: false, last: null } },
    });
    expect(tiles()).toEqual(["실시간0", "지연0", "오프라인1"]);
    expect(card("오래 연락이 없는 장치").getByText("well")).toBeTruthy();
    expect(card("어제 저녁 이후 바뀐 장치").getByText(/부터 수신 없음$/)).toBeTruthy();
  });

  it("[fleet] shows when an offline device last reported, and since when changes are known", async () => {
    await open();
    const now = bench.live.clock.now();
    const iso = (ago: number) => new Date(now - ago * 60_000).toISOString();
    const flip = { at: iso(120), online: false, last: iso(180) };
    const gone = fleetOfDevices({ gone: { quality: "offline", flip } });
    const list = { loaded: 1, total: 1, knownSince: null };
    await bench.sayPart({ ...Object.fromEntries(gone), "fleet:list": list }, 1, 1);
    const flips = () => card("어제 저녁 이후 바뀐 장치");
    const wall = (ago: number) => new Date(now - ago * 60_000 + 9 * 3_600_000).toISOString().slice(11, 16);
    expect(flips().getByText(new RegExp(`${wall(180)}부터 수신 없음`))).toBeTruthy();
    expect(flips().queryByText(/알 수 없습니다/)).toBeNull();
    await bench.change({ "fleet:list": { knownSince: iso(10) }, "device:gone": { flip: null } });
    expect(flips().getByText(new RegExp(`${wall(10)} 전에 바뀐 장치는 알 수 없습니다`))).toBeTruthy();
    expect(
      flips().getByText(new RegExp(`${wall(10)} 이후 오프라인이 되거나 돌아온 장치가 없습니다`)),
    ).toBeTruthy();
  });

  it("[CALL-1, CALL-2] calls the person of a farm that is gone, in one line, and of each account", async () => {
    await open();
    const now = bench.live.clock.now();
    const iso = (ago: number) => new Date(now - ago * 60_000).toISOString();
    const flip = (ago: number) => ({ at: iso(ago), online: false, last: iso(ago + 60) });
    const gone = Object.fromEntries(
      [1, 2, 3].map((number) => [
        `g${number}`,
        { quality: "offline" as const, farm: "윗논", flip: flip(number) },
      ]),
    );
    const alone = { quality: "offline" as const, account: "a2", username: "lee", flip: flip(30) };
    await bench.say(
      { ...gone, alone },
      buildFleetAccount({ nickname: "김영수", phone: "010-1013-2026" }),
      buildFleetAccount({ id: "a2", username: "lee", phone: "+82 10 2" }),
      buildFleetAccount({ id: "a3", username: "park" }),
    );
    const lines = (title: string) =>
      card(title)
        .getAllByRole("listitem")
        .map((line) => ({
          name: line.querySelector('[data-testid="morning-name"]')?.textContent,
          calls: [...line.querySelectorAll('a[href^="tel:"]')].map((link) => link.getAttribute("href")),
        }));
    expect(lines("어제 저녁 이후 바뀐 장치")).toEqual([
      { name: "윗논", calls: ["tel:01010132026"] },
      { name: "alone", calls: ["tel:+82102"] },
    ]);
    const flips = card("어제 저녁 이후 바뀐 장치");
    expect(flips.getByText("kim · 김영수 · 연결 끊김 3")).toBeTruthy();
    expect(flips.getByRole("link", { name: "모두 보기 (4)" })).toBeTruthy();
    expect(lines("계정별 상태")).toEqual([
      { name: "kim", calls: ["tel:01010132026"] },
      { name: "lee", calls: ["tel:+82102"] },
      { name: "park", calls: [] },
    ]);
    expect(card("계정별 상태").getByText("오프라인이 많은 순, 오래 연락이 없는 순, 이름순")).toBeTruthy();
    // A link within a link is none.
    expect(document.querySelectorAll("a a")).toHaveLength(0);
  });

  it("[storage] says when the server's disk will be full, and nothing about a disk that does not fill", async () => {
    const others = bench.answer;
    let daysLeft: number | null = 3.4;
    bench.answer = (call) =>
      call === "GET /relay/storage"
        ? { storage: { fault: null, since: null, disk: { freeBytes: 2e9, totalBytes: 1e10, daysLeft } } }
        : others(call);
    await open();
    await screen.findByText("약 3일 뒤에 서버의 저장 공간이 가득 찹니다");
    expect(screen.getByRole("alert").textContent).toContain("남은 공간 2.0 GB");
    daysLeft = null;
    cleanup();
    await open();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("[fleet] marks numbers as incomplete while a part is loading, and calls nothing absent", async () => {
    await open();
    const list = (loaded: number) => ({ "fleet:list": { loaded, total: 3, knownSince: null } });
    await bench.sayPart({ ...list(3), ...Object.fromEntries(fleetOfDevices({ a: {} })) }, 1, 2);
    expect(screen.getAllByText("불러오는 중 · 3대 중 1대").length).toBeGreaterThan(1);
    expect(screen.queryByText("연락이 끊긴 장치가 없습니다")).toBeNull();
    expect(screen.queryByRole("list", { name: "상태별 장치 수" })).toBeNull();
    expect(screen.getByRole("list", { name: "상태별 장치 수. 불러오는 중 · 3대 중 1대" })).toBeTruthy();
    await bench.sayPart(Object.fromEntries(fleetOfDevices({ b: {} })), 2, 2);
    await bench.change({ "fleet:list": { loaded: 2 } });
    // The server itself has not loaded all of them yet.
    expect(screen.getAllByText("불러오는 중 · 3대 중 2대").length).toBeGreaterThan(1);
    await bench.change({ "fleet:list": { loaded: 3 } });
    expect(screen.queryByText(/불러오는 중/)).toBeNull();
    expect(screen.getByText("연락이 끊긴 장치가 없습니다")).toBeTruthy();
  });

  it("[fleet] does not count an account as all online if one device has never reported", async () => {
    await open();
    await bench.say({ well: {}, new: { quality: null } }, buildFleetAccount({ devices: 2, never: 1 }));
    expect(card("계정별 상태").getByText("받은 자료 없음 1")).toBeTruthy();
    expect(card("계정별 상태").queryByText("모두 실시간")).toBeNull();
  });

  it("[ONL-2] calls no device or account online without a live link", async () => {
    await open();
    await bench.say({ low: { battery: 3 } }, buildFleetAccount({ devices: 1 }));
    const marks = () =>
      [...document.querySelectorAll("[data-state]")].map((mark) => mark.getAttribute("data-state"));
    expect(card("계정별 상태").getByText("모두 실시간")).toBeTruthy();
    await bench.lose();
    expect(screen.queryByText("연락이 끊긴 장치가 없습니다")).toBeNull();
    expect(card("계정별 상태").queryByText("모두 실시간")).toBeNull();
    expect(marks()).toContain("unknown");
    expect(tiles()).toEqual(["실시간0", "지연0", "오프라인0", "확인 불가1"]);
  });

  it("[backup] shows the age of the newest backup, as an error above two days", async () => {
    const state = { kept: "nightly", newestDate: "2026-11-21 03:27:00", count: 3, overdue: false };
    const answer = (backups: object) => {
      bench.answer = (call) => {
        if (call === "GET /relay/config")
          return { apiTimezone: "Asia/Seoul", extensions: ["backups"], build: "x" };
        return call === "GET /api/v1/admin/backups" ? backups : undefined;
      };
    };
    answer(state);
    await open();
    expect(
      (await screen.findByText(/^마지막 백업: 11월 21일 03:27 \(8시간 전\)\.$/)).closest("[role]"),
    ).toBeNull();
    cleanup();
    answer({ ...state, newestDate: null, overdue: true });
    await open();
    expect((await screen.findByRole("alert")).textContent).toBe(
      "이틀 넘게 백업이 없습니다. 데이터 폴더의 빈 공간과 서버 로그를 확인해 주세요.",
    );
  });

  it("[fleet] tells an account without access to the fleet so", async () => {
    await open();
    await bench.refuse();
    expect(screen.getByRole("alert").textContent).toContain("전체 장치를 불러올 수 없습니다");
    // Nothing is known: neither that all is well nor that there are no devices.
    expect(screen.queryByText("연락이 끊긴 장치가 없습니다")).toBeNull();
    expect(screen.queryByRole("list", { name: "상태별 장치 수" })).toBeNull();
    expect(document.querySelector(".chakra-skeleton")).toBeNull();
  });

  it("[fleet] links long lists to the board with the same devices, and to all accounts", async () => {
    await open();
    const at = new Date(bench.live.clock.now()).toISOString();
    const flips = Array.from({ length: 9 }, (_, n) => [`d${n}`, { flip: { at, online: true, last: null } }]);
    const accounts = Array.from({ length: 13 }, (_, n) => buildFleetAccount({ id: `a${n}` }));
    await bench.say(Object.fromEntries(flips), ...accounts);
    const more = (title: string, name: string) =>
      card(title).getByRole("link", { name }).getAttribute("href") ?? "";
    const since = new URLSearchParams(more("어제 저녁 이후 바뀐 장치", "모두 보기 (9)").split("?")[1]);
    expect(Date.parse(since.get("since") ?? "")).toBeLessThan(bench.live.clock.now());
    expect(more("계정별 상태", "장치 현황에서 모두 보기")).toBe("/adminpage/status");
  });

  it("[CMD-1] shows why a command failed, and whose commands are unknown", async () => {
    await open();
    await bench.say({ valve: {} }, buildFleetAccount({ watched: true }), buildFleetAccount({ id: "a2" }));
    const command = {
      ...{ account: "a1", username: "kim", command: "onoff", controllerId: "valve", channelId: null },
      ...{ number: 3, target: 1, by: { id: "u1", nickname: "김다온" }, at: "2026-11-21T03:00:00.000Z" },
    };
    await bench.change({
      "command:lost": { ...command, id: "lost", state: "failed", reason: "upstream-down" },
      "command:late": { ...command, id: "late", state: "unconfirmed", reason: null },
    });
    const commands = card("확인되지 않은 명령");
    expect(commands.getAllByText("valve · 3CH · 열기")).toHaveLength(2);
    expect(commands.getAllByText(/^실패 · /)).toHaveLength(1);
    expect(commands.getByText("감시하지 않는 계정 1개의 명령은 여기에 없습니다")).toBeTruthy();
    expect((await commands.findByRole("link", { name: "명령 기록에서 보기" })).getAttribute("href")).toBe(
      "/adminpage/audit?show=commands&outcome=taken",
    );
  });
});
