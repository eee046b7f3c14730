import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTimeTexts } from "../../domain/time/time-texts.ts";
import { useFollowedOutbox } from "../../domain/valve/use-outbox.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { PanelPage } from "./PanelPage.tsx";

function FollowedPage() {
  useFollowedOutbox();
  return <PanelPage />;
}

const UNIT = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: "2026-11-21T03:00:00.000Z",
  quality: "fresh",
  link: null,
};
const CHANNEL = {
  controllerId: "c1",
  serial: "17",
  number: 1,
  sensorIds: ["s1"],
  onoff: 2,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  at: "2026-11-21T03:00:00.000Z",
  heardAt: "2026-11-21T03:00:00.000Z",
  quality: "fresh",
};

describe("controller page", () => {
  let page: PageBench;
  const accountId = () => {
    const state = page.session.store.getState();
    return state.state === "signed-in" ? state.account.id : "";
  };
  beforeEach(async () => {
    document.documentElement.dataset.surface = "desktop";
    page = await createPageBench();
    page.show(<PanelPage />, "/sensors/cot/detail?cotId=c1&ch=1");
    page.put({ "controller:c1": UNIT, "channel:11": CHANNEL });
    page.link("live");
  });
  afterEach(() => {
    cleanup();
    delete document.documentElement.dataset.surface;
  });

  /** Controls in the bar at the bottom of a phone, by their texts. */
  const inBar = () => screen.getByTestId("valve-controls").getAttribute("data-bar");
  const precedes = (one: Element, other: Element) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

  it("[UI-2] shows in the phone's bar what can be done now, and keeps the other control in the page", () => {
    document.documentElement.dataset.surface = "phone";
    cleanup();
    page.show(<PanelPage />, "/sensors/cot/detail?cotId=c1&ch=1");
    const close = screen.getByRole("button", { name: "지금 닫기" });
    expect(inBar()).toBe("open");
    const command = {
      id: "k",
      command: "onoff",
      target: 1,
      state: "accepted",
      since: CHANNEL.at,
      by: { id: "a", nickname: "김" },
    };
    page.put({ "channel:11": { ...CHANNEL, command } });
    expect(inBar()).toBe("both");
    page.put({ "channel:11": { ...CHANNEL, onoff: 1 } });
    expect(inBar()).toBe("close");
    // Its controller is lost while it is open, then after it was closed.
    for (const onoff of [1, 2]) {
      page.put({ "controller:c1": { ...UNIT, link: "lost" }, "channel:11": { ...CHANNEL, onoff } });
      page.put({ "channel:11": { ...CHANNEL, onoff, link: "lost", quality: "offline" } });
      expect(inBar()).toBe("close");
    }
    // The same button all along: it keeps the focus.
    expect(close.isConnected && screen.getByTestId("confirm-slide").isConnected).toBe(true);
  });

  it("[UI-3] begins with the valve on a phone: the others of its controller follow its state and controls", () => {
    document.documentElement.dataset.surface = "phone";
    cleanup();
    page.show(<PanelPage />, "/sensors/cot/detail?cotId=c1&ch=1");
    page.put({ "channel:12": { ...CHANNEL, number: 2 } });
    const others = screen.getByTestId("channels");
    expect(precedes(screen.getByTestId("valve-state"), others)).toBe(true);
    expect(precedes(screen.getByTestId("valve-controls"), others)).toBe(true);
    const scrolled = vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
    fireEvent.click(screen.getByRole("button", { name: /2CH ?닫힘$/ }));
    expect(page.path()).toBe("/sensors/cot/detail?cotId=c1&ch=2");
    expect(scrolled).toHaveBeenCalledWith({ top: 0 });
  });

  it("[NAME-1] offers a name for a valve that borrows one", () => {
    const prompt = () => screen.queryByRole("link", { name: "이름 붙이기" });
    expect(prompt()?.getAttribute("href")).toBe("/controller/edit?cotId=c1&name=1");
    page.put({ "channel:11": { ...CHANNEL, name: "1동 앞 베드" } });
    expect(prompt()).toBeNull();
  });

  it("[NAME-1] shows borrowed names beside each other without the words that they share", () => {
    const sensor = (id: string, name: string) => ({
      info: { id, deviceType: "SMS", serial: id, name },
      reading: null,
      at: null,
      heardAt: null,
      quality: "fresh",
      via: null,
    });
    page.put({
      "sensor:s1": sensor("s1", "1동 토양수분"),
      "sensor:s2": sensor("s2", "2동 토양수분"),
      "channel:12": { ...CHANNEL, number: 2, sensorIds: ["s2"] },
    });
    const titles = screen
      .getAllByRole("button", { pressed: false })
      .concat(screen.getAllByRole("button", { pressed: true }));
    expect(titles.map(({ textContent }) => textContent).toSorted()).toEqual(["1동 1CH닫힘", "2동 2CH닫힘"]);
    expect(screen.getByTestId("channel-name").textContent).toBe("1동 토양수분 1CH");
  });

  it("[CMD-1] announces a changed valve state to screen readers in the same place, whatever caused it", () => {
    const announced = screen.getAllByRole("status").find((each) => each.textContent === "1CH닫힘");
    page.put({ "channel:11": { ...CHANNEL, onoff: 1 } });
    expect(announced?.isConnected).toBe(true);
    expect(announced?.textContent).toBe("1CH열림");
  });

  it("[CMD-18] draws a close without an answer in place of the old state, and offers to take it back", () => {
    const entry = {
      kind: "close",
      id: "mine",
      accountId: `${accountId()}`,
      at: Date.now() - 5_000,
      ...{ form: "controller", controllerId: "c1", number: 1, channelId: "11", name: "1CH", pressed: null },
    };
    localStorage.setItem("mulkko.outbox.mine", JSON.stringify(entry));
    page.put({ "channel:11": { ...CHANNEL, onoff: 1 } });
    cleanup();
    page.answer = () => new Promise(() => undefined);
    page.show(<FollowedPage />, "/sensors/cot/detail?cotId=c1&ch=1");
    const state = screen.getByTestId("valve-state");
    expect(state.textContent).toBe("닫는 중 · 확인 안 됨");
    fireEvent.click(screen.getByRole("button", { name: "보내지 않기" }));
    expect(screen.getByTestId("valve-state").textContent).toBe("열림");
    expect(localStorage.getItem("mulkko.outbox.mine")).toBeNull();
  });

  it.each([
    ["its own valve", [{ controllerId: "c1", number: 1 }], "닫는 중 · 확인 안 됨"],
    ["another valve of its controller", [{ controllerId: "c1", number: 2 }], "열림"],
    ["the same number of another controller", [{ controllerId: "c2", number: 1 }], "열림"],
  ])("[CMD-18] draws a close-all without an answer that was pressed for %s", (_, valves, expected) => {
    const base = { kind: "close-all", id: "all", accountId: `${accountId()}`, at: Date.now() - 5_000 };
    const entry = { ...base, farmId: "7", farmName: "논산", valves, pressed: null };
    localStorage.setItem("mulkko.outbox.all", JSON.stringify(entry));
    page.put({ "channel:11": { ...CHANNEL, onoff: 1 } });
    cleanup();
    page.answer = () => new Promise(() => undefined);
    page.show(<FollowedPage />, "/sensors/cot/detail?cotId=c1&ch=1");
    expect(screen.getByTestId("valve-state").textContent).toBe(expected);
    localStorage.clear();
  });

  it("[CMD-18] says how long a withdrawn opening ran, and why it was closed", () => {
    const end = new Date(page.live.clock.now()).toISOString();
    const start = new Date(page.live.clock.now() - 20_000).toISOString();
    page.put({
      "watering:w1": {
        id: "w1",
        channelId: "11",
        cause: "person",
        by: null,
        start,
        end,
        endReason: "closed",
        withdrawn: true,
        moistureBefore: null,
        moistureAfter: null,
        litres: null,
      },
    });
    expect(screen.getByText("열렸다가 20초 뒤에 닫았습니다 (연결이 끊겨 취소)")).toBeTruthy();
    expect(screen.queryByText(/수동으로 닫음/)).toBeNull();
  });

  it("[controller] links a controller without channels to the form for the first one", () => {
    page.remove("channel:11");
    const way = screen.getByRole("link", { name: "논산 밸브에 첫 채널 추가" });
    expect(way.getAttribute("href")).toBe("/controller/edit?cotId=c1&add=1");
    expect(way.textContent).toBe("첫 채널 추가");
  });

  it("[NAME-1] shows a valve's name on the panel and in the run time dialog", async () => {
    page.put({ "channel:11": { ...CHANNEL, name: "1동 앞 베드" }, "channel:12": { ...CHANNEL, number: 2 } });
    const channels = screen
      .getAllByRole("button", { pressed: true })
      .concat(screen.getAllByRole("button", { pressed: false }));
    expect(channels.map(({ textContent }) => textContent)).toEqual(["1동 앞 베드 1CH닫힘", "2CH닫힘"]);
    fireEvent.click(screen.getByRole("button", { name: "물 주기" }));
    await screen.findByRole("dialog", { name: "1동 앞 베드 1CH에 물 주기" });
  });

  it("[MODE-2] says when automatic may open again after a manual close, and switches it off", async () => {
    const end = Math.floor(page.live.clock.now() / 60_000) * 60_000;
    page.answer = (call) =>
      call.endsWith("/relay/config")
        ? { apiTimezone: "Asia/Seoul", extensions: ["mode-enable"], build: "b" }
        : {};
    const automatic = { lowerBound: 30, upperBound: 35, wateringDuration: 5 };
    const modes = { active: "automatic", automatic, reservation: null, period: null };
    const watering = {
      id: "w",
      channelId: "11",
      cause: "automatic",
      by: null,
      start: new Date(end - 120_000).toISOString(),
      end: new Date(end).toISOString(),
      endReason: "closed",
      moistureBefore: 27.9,
      moistureAfter: null,
      litres: null,
    };
    page.put({ "channel:11": { ...CHANNEL, modes, moisture: 29.8 }, "watering:w": watering });
    const time = createTimeTexts("ko", "Asia/Seoul").time(end + 10 * 60_000);
    await screen.findByText(`자동이 켜져 있습니다. ${time} 이후 다시 열 수 있습니다.`);
    fireEvent.click(screen.getByRole("button", { name: "자동 끄기" }));
    await screen.findByText("끄는 중 · 컨트롤러 확인 중");
    expect(page.requests.at(-1)).toMatchObject({ body: { active: "none", insteadOf: "automatic" } });
    page.put({ "channel:11": { ...CHANNEL, modes: { ...modes, active: "none" }, moisture: 29.8 } });
    await screen.findByText("자동 관수를 껐습니다");
    expect(screen.queryByRole("button", { name: "자동 끄기" })).toBeNull();
  });

  it("[MODE-4] does not call a channel with several active modes idle", async () => {
    const modes = { active: "automatic", automatic: null, reservation: null, period: null };
    page.put({ "channel:11": { ...CHANNEL, modes: { ...modes, incomplete: "setting" } } });
    // The mode's own line contains the text as well, and keeps it.
    const idle = () => screen.queryAllByText("설정이 없어 대기 중").length;
    expect(idle()).toBe(2);
    page.put({
      "channel:11": { ...CHANNEL, modes: { ...modes, alsoOn: ["reservation"], incomplete: "setting" } },
    });
    await screen.findByText(/여러 방식이 함께 켜져 있습니다: 자동, 예약/);
    expect(idle()).toBe(1);
  });

  it("[controller] says that a sensor is removed from its channel, not deleted", async () => {
    page.answer = () => new Response(JSON.stringify({ message: "점검 중입니다" }), { status: 409 });
    fireEvent.click(screen.getByRole("button", { name: "s1 빼기" }));
    fireEvent.click(await screen.findByRole("button", { name: "빼기" }));
    await screen.findByText("빼지 못했습니다. 서버에서 거절했습니다: 점검 중입니다");
    // Another user has removed it already.
    page.answer = () => undefined;
    fireEvent.click(screen.getByRole("button", { name: "빼기" }));
    await screen.findByText("채널에서 뺐습니다");
  });

  it("[spec 8] quotes a farm API without codes that does not query the controller", async () => {
    page.answer = () => new Response(JSON.stringify({ message: "점검 중입니다" }), { status: 409 });
    fireEvent.click(screen.getByRole("button", { name: "상태 새로 고침" }));
    await screen.findByText("상태를 확인하지 못했습니다. 서버에서 거절했습니다: 점검 중입니다");
  });

  it("[form] confirms before switching channels with unsaved values", async () => {
    page.put({ "channel:12": { ...CHANNEL, number: 2 } });
    fireEvent.click(screen.getByRole("button", { name: /^자동/ }));
    fireEvent.change(screen.getByLabelText(/최소 수분/), { target: { value: "21" } });
    fireEvent.click(screen.getByRole("button", { name: /^2CH ?닫힘$/ }));
    fireEvent.click(await screen.findByRole("button", { name: "계속 입력" }));
    expect(page.path()).toBe("/sensors/cot/detail?cotId=c1&ch=1");
    expect(screen.getByLabelText(/최소 수분/)).toHaveProperty("value", "21");
  });
});
