import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../../testing/page-bench.tsx";
import { FarmPage } from "./FarmPage.tsx";

const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: ["s1"] } };
const SENSOR = {
  info: { id: "s1", deviceType: "SMS", serial: 3, name: "1동 흙" },
  reading: null,
  at: null,
  heardAt: null,
  quality: null,
  via: "poll",
};
const BOX = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V", clusterId: "f1" },
  rssi: null,
  fwversion: null,
  heardAt: null,
  quality: null,
  link: null,
};
const CHANNEL = { ...buildChannelValue({ serial: "17", quality: null }) };
const SETTINGS = { adoptExternal: false, controllers: {}, channels: {} };
const cap = () => screen.findByLabelText("최대 관수 시간 (분)");

describe("farm page", () => {
  let page: PageBench;
  beforeEach(async () => {
    document.documentElement.dataset.surface = "desktop";
    page = await createPageBench();
    page.answer = (call) => (call.endsWith("/relay/settings") ? SETTINGS : undefined);
    page.show(<FarmPage />, "/irrigation/farm?farm=f1");
    page.put({ "farm:f1": FARM, "sensor:s1": SENSOR, "controller:c1": BOX, "channel:11": CHANNEL });
    page.link("live");
    fireEvent.click(screen.getByRole("button", { name: "밸브 설정" }));
    fireEvent.change(await cap(), { target: { value: "40" } });
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    delete document.documentElement.dataset.surface;
  });

  it.each(["밸브 설정", "설정 닫기"])("[form] “%s” asks before it closes unsaved settings", async (name) => {
    fireEvent.click(screen.getByRole("button", { name }));
    fireEvent.click(await screen.findByRole("button", { name: "계속 입력" }));
    expect(await cap()).toHaveProperty("value", "40");
    fireEvent.click(screen.getByRole("button", { name }));
    fireEvent.click(await screen.findByRole("button", { name: "저장하지 않고 닫기" }));
    await waitFor(() => expect(screen.queryByLabelText("최대 관수 시간 (분)")).toBeNull());
    fireEvent.click(screen.getByRole("button", { name: "밸브 설정" }));
    expect(await cap()).toHaveProperty("value", "");
  });

  it("[UI-5] keeps the controllers in their places on a phone, unfolded, whichever waters", () => {
    document.documentElement.dataset.surface = "phone";
    cleanup();
    page.show(<FarmPage />, "/irrigation/farm?farm=f1");
    const other = { ...BOX, info: { ...BOX.info, id: "c2", serial: "18", name: "부여 밸브" } };
    page.put({
      "controller:c2": other,
      "channel:21": { ...CHANNEL, controllerId: "c2", serial: "18", number: 1 },
    });
    const cells = () => screen.getAllByTestId("channel-cell").map((cell) => cell.getAttribute("href"));
    const before = cells();
    expect(before).toHaveLength(2);
    expect(screen.getAllByRole("group").every((each) => each.hasAttribute("open"))).toBe(true);
    for (const open of ["11", "21"]) {
      const { controllerId, serial } = open === "11" ? CHANNEL : { controllerId: "c2", serial: "18" };
      page.put({ [`channel:${open}`]: { ...CHANNEL, controllerId, serial, onoff: 1 } });
      expect(cells()).toEqual(before);
    }
  });

  it("[WAT-1] shows the flow meter linked to a channel, by its id if it was deleted", async () => {
    cleanup();
    const channels = { "11": { flowSensorId: "s2" }, "12": { flowSensorId: "s3" }, "13": {} };
    page.answer = (call) => (call.endsWith("/relay/settings") ? { ...SETTINGS, channels } : undefined);
    page.show(<FarmPage />, "/irrigation/farm?farm=f1");
    const meter = { ...SENSOR, info: { ...SENSOR.info, id: "s2", deviceType: "WATERFLOW" } };
    const [second, third] = [2, 3].map((number) => ({ ...CHANNEL, number }));
    page.put({ "sensor:s2": meter, "channel:12": second, "channel:13": third });
    fireEvent.click(screen.getByRole("button", { name: "밸브 설정" }));
    const linked = await screen.findAllByRole("combobox", { name: "유량계" });
    expect(linked.map((each) => (each as HTMLSelectElement).value)).toEqual(["s2", "s3", ""]);
  });

  it("[WAT-5] asks for the largest flow of a channel with a flow meter, and refuses what is none", async () => {
    cleanup();
    const channels = { "11": { flowSensorId: "s2", largestFlow: 12.5 }, "13": {} };
    const sent: string[] = [];
    page.answer = (call) => {
      sent.push(call);
      return call.endsWith("/relay/settings") ? { ...SETTINGS, channels } : undefined;
    };
    page.show(<FarmPage />, "/irrigation/farm?farm=f1");
    const meter = { ...SENSOR, info: { ...SENSOR.info, id: "s2", deviceType: "WATERFLOW" } };
    page.put({ "sensor:s2": meter, "channel:13": { ...CHANNEL, number: 3 } });
    fireEvent.click(screen.getByRole("button", { name: "밸브 설정" }));
    const flow = await screen.findByLabelText("최대 유량 (L/min)");
    expect(flow).toHaveProperty("value", "12.5");
    fireEvent.change(flow, { target: { value: "0" } });
    const before = sent.length;
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await screen.findByText("0보다 크고 10000 이하인 숫자로 입력해 주세요");
    expect(sent).toHaveLength(before);
  });

  it("[matrix] moves between the channels with the arrow keys, from any cell that has the Tab key", async () => {
    const second = { ...CHANNEL, number: 2 };
    const box = { ...BOX, info: { ...BOX.info, id: "c2", name: "논산 밸브 2" } };
    page.put({ "channel:12": second, "controller:c2": box, "channel:22": { ...second, controllerId: "c2" } });
    const cells = () => screen.getAllByTestId("channel-cell");
    await waitFor(() => expect(cells()).toHaveLength(3));
    const [first, right, below] = cells();
    expect(cells().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
    first?.focus();
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    press("ArrowRight");
    expect(document.activeElement).toBe(right);
    press("ArrowDown");
    expect(document.activeElement).toBe(below);
    expect(cells().map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0]);
    press("ArrowDown");
    expect(document.activeElement).toBe(below);
  });

  it("[form] shows the server's error at its field, in the user's language", async () => {
    page.answer = () =>
      refusal(422, "validation", { errors: [{ field: "maxRunSeconds", defaultMessage: "must be <= 7200" }] });
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    const alert = await screen.findByText("서버가 이 값을 허용하지 않습니다. 고쳐서 다시 저장해 주세요");
    const field = await cap();
    expect(field.getAttribute("aria-describedby")).toContain(alert.id);
    expect(field).toHaveProperty("value", "40");
  });

  it("[form] asks before leaving with unsaved settings, but not when devices are selected", async () => {
    fireEvent.click(screen.getByRole("checkbox", { name: /1동 흙/ }));
    await waitFor(() => expect(page.path()).not.toBe("/irrigation/farm?farm=f1"));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    const chosen = page.path();
    fireEvent.click(screen.getByRole("link", { name: "이름 바꾸기" }));
    expect(await screen.findByRole("alertdialog", { name: "저장하지 않은 내용이 있습니다" })).not.toBeNull();
    expect(page.path()).toBe(chosen);
  });

  it("[RUN-5] quotes the message of a farm API without codes beside its valve", async () => {
    const valve = { channelId: "11", controllerId: "c1", number: 1, commandId: "k", activeMode: "none" };
    const channels = [{ ...valve, state: "refused", reason: "점검 중입니다" }];
    page.answer = () => ({ jobId: "j", channels });
    fireEvent.click(screen.getByRole("button", { name: "모두 닫기" }));
    fireEvent.click(await screen.findByRole("button", { name: "1개 모두 닫기" }));
    await screen.findByText("서버에서 거절했습니다: 점검 중입니다");
    sessionStorage.clear();
  });

  it("[MODE-4] the result of a close-all names the valves whose mode is not known", async () => {
    const valve = { channelId: "11", controllerId: "c1", number: 1, commandId: "k", activeMode: "none" };
    page.answer = () => ({ jobId: "j", channels: [{ ...valve, state: "confirmed", reason: null }] });
    fireEvent.click(screen.getByRole("button", { name: "모두 닫기" }));
    fireEvent.click(await screen.findByRole("button", { name: "1개 모두 닫기" }));
    const card = await screen.findByRole("region", { name: "모두 닫기" });
    expect(card.textContent).toContain("관수 방식을 알 수 없어 닫은 뒤 다시 열릴 수 있음: 논산 밸브 1CH");
    sessionStorage.clear();
  });
});
