import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { SensorAddPage } from "./SensorAddPage.tsx";

const SHOWN = {
  info: { id: "s1", deviceType: "SMS", serial: 3, name: "1동", widget: true },
  reading: null,
  at: null,
  heardAt: null,
  quality: null,
  via: "poll",
};

describe("form of a new sensor", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.answer = (call) => (call.startsWith("POST /api/v1/sensor/add") ? {} : undefined);
    page.show(<SensorAddPage />, "/listadd");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const send = async (): Promise<unknown> => {
    fireEvent.change(screen.getByLabelText(/^이름/), { target: { value: "1동 토양" } });
    fireEvent.change(screen.getByLabelText(/일련번호/), { target: { value: "24990001" } });
    fireEvent.click(screen.getByRole("button", { name: "등록" }));
    const sent = () => page.requests.find(({ call }) => call.startsWith("POST /api/v1/sensor/add"));
    await waitFor(() => expect(sent()).toBeDefined());
    return sent()?.body;
  };

  it("[sensor-add] requests a place on the dashboard for the account's first sensor", async () => {
    page.link("live");
    expect(String(await send())).toContain("widget=true");
  });

  it.each([
    ["none", [], "0"],
    ["one", ["7"], "7"],
    ["two", ["7", "8"], "0"],
  ])("[sensor-add] chooses the only farm beforehand, of %s", async (_count, ids, chosen) => {
    page.put(
      Object.fromEntries(
        ids.map((id) => [
          `farm:${id}`,
          { info: { id, name: `농장 ${id}`, description: null, sensorIds: [] } },
        ]),
      ),
    );
    page.link("live");
    expect(String(await send())).toContain(`clusterId=${chosen}`);
  });

  it("[sensor-add] requests no place for a later sensor, or before the number of sensors is known", async () => {
    expect(String(await send())).not.toContain("widget");
    cleanup();
    page = await createPageBench();
    page.answer = (call) => (call.startsWith("POST /api/v1/sensor/add") ? {} : undefined);
    page.put({ "sensor:s1": SHOWN });
    page.show(<SensorAddPage />, "/listadd");
    page.link("live");
    expect(String(await send())).not.toContain("widget");
  });

  it("[maps] says that the built-in map shows no fields, and what to do, but not for an installation's own map", async () => {
    const config = { apiTimezone: "Asia/Seoul", extensions: [], build: "b" };
    const open = async (mapStyleUrl: string | null) => {
      cleanup();
      page = await createPageBench();
      page.answer = (call) => (call.includes("/relay/config") ? { ...config, mapStyleUrl } : undefined);
      page.show(<SensorAddPage />, "/listadd");
    };
    const note = /이 지도에는 밭과 길이 없습니다/;
    await open(null);
    expect((await screen.findByText(note)).textContent).toMatch(/'내 위치'.*관리자에게 요청해 주세요/);
    const placed = { ...SHOWN, info: { ...SHOWN.info, latitude: 36.2, longitude: 127.1 } };
    page.put({ "sensor:s1": placed });
    await waitFor(() => expect(screen.getByText(note).textContent).toMatch(/농장 테두리와 다른 장치를 보고/));
    await open("/style.json");
    page.link("live");
    await waitFor(() => expect(page.requests.some(({ call }) => call.includes("/relay/config"))).toBe(true));
    expect(screen.queryByText(note)).toBeNull();
  });

  it("[spec 2] says that the sensor could not be created, and why", async () => {
    page.answer = (call) => (call.startsWith("POST /api/v1/sensor/add") ? refusal(500, "internal") : []);
    await send();
    expect((await screen.findByRole("alert")).textContent).toMatch(/^센서를 등록하지 못했습니다\. ./);
  });
});
