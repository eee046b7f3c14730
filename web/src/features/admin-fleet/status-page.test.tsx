import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { READING_KEY } from "../../api/view-as.ts";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { buildUserEntry } from "../../testing/build-user-entry.ts";
import { createFleetBench, type FleetBench } from "../../testing/fleet-bench.tsx";
import { StatusPage } from "./StatusPage.tsx";

describe("fleet board", () => {
  let bench: FleetBench;
  beforeEach(async () => {
    bench = await createFleetBench();
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    sessionStorage.clear();
  });
  const rows = () =>
    [...document.querySelectorAll<HTMLElement>("[data-device]")].map((row) => row.dataset.device?.slice(7));
  const open = (search = "") => bench.open(<StatusPage />, `/adminpage/status${search}`);
  const FLEET = {
    a: { deviceType: "SMS", fwversion: "1.9" },
    b: { deviceType: "AT", quality: "late", account: "a2", username: "lee" },
    c: { deviceType: "AT", quality: "offline", serial: 240_777 },
    v: { kind: "controller", deviceType: "CON04V", quality: "offline", rssi: -99 },
  } as const;
  const ACCOUNTS = [buildFleetAccount(), buildFleetAccount({ id: "a2", username: "lee" })];
  const chip = (name: RegExp) =>
    within(screen.getByRole("list", { name: "상태" })).getByRole("button", { name });
  const headings = () =>
    screen.getAllByRole("heading", { level: 2 }).map((heading) => {
      const part = (name: string) => heading.querySelector(`.board-heading__${name}`)?.textContent;
      return [part("name"), part("silent"), part("count")];
    });

  it("[fleet] shows no rows and no counts before the first snapshot", async () => {
    await open();
    expect(rows()).toEqual([]);
    expect(screen.queryByText("등록된 장치가 없습니다")).toBeNull();
    expect(screen.queryByText("맞는 장치가 없습니다")).toBeNull();
  });

  it("[ONL-2] shows the time of its numbers over a lost link, and no account as well", async () => {
    await open();
    await bench.say({ a: {} }, buildFleetAccount());
    const marks = () =>
      [...document.querySelectorAll(".board-heading [data-state]")].map((mark) =>
        mark.getAttribute("data-state"),
      );
    const asOf = () => screen.queryByTestId("as-of")?.textContent;
    expect([marks(), asOf()]).toEqual([["fresh"], undefined]);
    await bench.lose();
    expect(marks()).toEqual(["unknown"]);
    expect(asOf()).toMatch(/기준 값입니다\.$/);
    expect(document.querySelector("[data-link]")?.getAttribute("data-link")).toBe("unknown");
  });

  it("[CALL-1] names the person of an account, and calls the telephone", async () => {
    await open();
    await bench.say({ a: {} }, buildFleetAccount({ nickname: "김선우", phone: "010-0000-0001" }));
    await screen.findByText("김선우");
    const call = screen.getByRole("link", { name: "김선우 님에게 전화: 010-0000-0001" });
    expect(call.getAttribute("href")).toBe("tel:01000000001");
  });

  it("[fleet] shows a fleet without devices as an empty page, not an empty table", async () => {
    await open();
    await bench.say({});
    expect(screen.getByText("등록된 장치가 없습니다")).toBeTruthy();
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  it("[fleet] sorts the worst account first, and in it silent controllers before silent sensors", async () => {
    await open();
    await bench.say(FLEET, ...ACCOUNTS);
    expect(rows()).toEqual(["v", "c", "a", "b"]);
    expect(headings()).toEqual([
      ["kim", "오프라인 2", "3대"],
      ["lee", "지연 1", "1대"],
    ]);
    expect(screen.getByText("장치 4대")).toBeTruthy();
  });

  it("[WARN-3] shows urgent alarms in a column, first, and filters by them", async () => {
    await open();
    const running = { kind: "controller", account: "a2", username: "lee", alarm: 1 } as const;
    await bench.say({ ...FLEET, w: running }, ...ACCOUNTS);
    await bench.change({ "fleet:list": { loaded: 5, total: 5, knownSince: null } });
    expect(rows()[0]).toBe("w");
    const [first] = document.querySelectorAll("[data-device]");
    expect(first?.querySelector(".board-row__alarm")?.textContent).toContain("긴급");
    await act(async () => fireEvent.click(chip(/^긴급 경보 ?.*긴급/)));
    expect(bench.path()).toBe("/adminpage/status?alarm=1");
    expect(rows()).toEqual(["w"]);
  });

  it("[fleet] reads filters from a link and writes them to the address", async () => {
    await open("?state=offline&type=AT");
    await bench.say(FLEET, ...ACCOUNTS);
    expect(rows()).toEqual(["c"]);
    expect(screen.getByText("4대 중 1대")).toBeTruthy();
    expect(chip(/^오프라인/).getAttribute("aria-pressed")).toBe("true");
    await act(async () => fireEvent.click(chip(/^지연/)));
    expect(bench.path()).toBe("/adminpage/status?state=offline&state=late&type=AT");
    expect(rows()).toEqual(["c", "b"]);
    await act(async () => fireEvent.click(chip(/^필터 지우기/)));
    expect(bench.path()).toBe("/adminpage/status");
    expect(rows()).toHaveLength(4);
  });

  it("[fleet] shows only the changes since an instant in the address until the user removes that filter", async () => {
    await open("?since=2026-11-21T09:00:00.000Z");
    const flip = (at: string) => ({ flip: { at, online: false, last: null } });
    await bench.say({ old: flip("2026-11-20T09:00:00Z"), new: flip("2026-11-21T10:00:00Z"), still: {} });
    expect(rows()).toEqual(["new"]);
    await act(async () => fireEvent.click(chip(/이후 바뀜/)));
    expect(bench.path()).toBe("/adminpage/status");
    expect(rows()).toHaveLength(3);
  });

  it("[fleet] searches while the user types, and updates the address after a moment", async () => {
    await open();
    await bench.say(FLEET, ...ACCOUNTS);
    await act(async () => fireEvent.change(screen.getByRole("searchbox"), { target: { value: "240777" } }));
    expect(rows()).toEqual(["c"]);
    await waitFor(() => expect(bench.path()).toBe("/adminpage/status?q=240777"));
    await act(async () => fireEvent.change(screen.getByRole("searchbox"), { target: { value: "nobody" } }));
    expect(rows()).toEqual([]);
    expect(screen.getByText("맞는 장치가 없습니다")).toBeTruthy();
  });

  it("[fleet] counts the values of a facet and names the selected one on its button", async () => {
    await open();
    await bench.say(FLEET, ...ACCOUNTS);
    await act(async () => fireEvent.click(chip(/^계정/)));
    const values = within(screen.getByRole("group", { name: "계정" }));
    expect(values.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["kim3", "lee1"]);
    await act(async () => fireEvent.click(values.getByRole("button", { name: /^lee/ })));
    expect(bench.path()).toBe("/adminpage/status?account=a2");
    expect(chip(/^계정/).textContent).toContain("lee");
    expect(rows()).toEqual(["b"]);
  });

  it("[fleet] moves a device's row, counts and account live when its state changes", async () => {
    await open();
    await bench.say(FLEET, ...ACCOUNTS);
    await bench.change({ "device:b": { quality: "offline" }, "device:c": { quality: "fresh" } });
    expect(chip(/^오프라인/).textContent).toBe("오프라인2");
    expect(chip(/^지연/).textContent).toBe("지연0");
    expect(rows()).toEqual(["v", "a", "c", "b"]);
    expect(document.querySelector('[data-device="device:b"]')?.getAttribute("data-state")).toBe("offline");
    await bench.change({}, "device:a");
    expect(rows()).not.toContain("a");
  });

  it("[ONL-2] shows every row as unknown without a live link", async () => {
    await open();
    await bench.say(FLEET, ...ACCOUNTS);
    await bench.lose();
    const states = [...document.querySelectorAll("[data-device]")].map((row) =>
      row.getAttribute("data-state"),
    );
    expect(new Set(states)).toEqual(new Set(["unknown"]));
  });

  it("[fleet] opens all details of a device from its row and from the address", async () => {
    await open();
    await bench.say(FLEET, ...ACCOUNTS);
    await act(async () =>
      fireEvent.click(document.querySelector('[data-device="device:c"]') ?? document.body),
    );
    expect(bench.path()).toBe("/adminpage/status?id=c");
    const sheet = within(await screen.findByRole("dialog"));
    expect(sheet.getByText("240777")).toBeTruthy();
    expect(sheet.getByRole("link", { name: "센서 관리 열기" }).getAttribute("href")).toBe(
      "/adminpage/sensor?id=c",
    );
  });

  it("[fleet] names the owner of a device with a telephone number to call", async () => {
    const { answer } = bench;
    bench.answer = (call, ...rest) =>
      call.startsWith("GET /api/v1/admin/user/info/a1")
        ? { ...buildUserEntry(1), nickname: "김선우", phone: "010-2345-6789" }
        : answer(call, ...rest);
    await open("?id=v");
    await bench.say(FLEET, ...ACCOUNTS);
    const phone = await screen.findByRole("link", { name: /010-2345-6789/ });
    expect(phone.getAttribute("href")).toBe("tel:01023456789");
    expect(screen.getByTestId("owner-contact").textContent).toBe("연락처: 김선우 · 010-2345-6789");
  });

  it("[HS-2] links a device's sheet to its owner's farm, read-only, and to the owner's account", async () => {
    const account = buildAccount({ id: "boss", userType: "ADMIN" });
    bench.session.store.setState({ state: "signed-in", account, accessToken: "token" });
    await open("?id=v");
    await bench.say(FLEET, ...ACCOUNTS);
    const sheet = within(await screen.findByRole("dialog"));
    const way = (name: string) => sheet.getByRole("link", { name }).getAttribute("href");
    await sheet.findByRole("link", { name: "이 컨트롤러의 명령 기록" });
    expect(way("이 컨트롤러의 명령 기록")).toBe("/adminpage/audit?show=commands&q=v");
    expect(way("사용자 관리 열기")).toBe("/adminpage/user?id=a1");
    await act(async () => fireEvent.click(sheet.getByRole("button", { name: "kim 농장 보기" })));
    expect(bench.path()).toBe("/sensors/cot/detail?cotId=v");
    expect(sessionStorage.getItem(READING_KEY)).toContain('"id":"a1"');
  });

  it("[fleet] tells an account without access to the fleet so, without a loading state", async () => {
    await open();
    await bench.refuse();
    expect(screen.getByRole("alert").textContent).toContain("전체 장치를 불러올 수 없습니다");
    expect(document.querySelector(".chakra-skeleton")).toBeNull();
  });
});
