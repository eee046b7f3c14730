import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { ControllerEditPage } from "./ControllerEditPage.tsx";

const CONTROLLER = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: null,
  quality: null,
  link: null,
};

describe("page that edits a controller", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<ControllerEditPage />, "/controller/edit?cotId=c1");
    page.put({ "controller:c1": CONTROLLER });
    page.link("live");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[form] makes a controller deleted elsewhere read-only and does not delete it again", () => {
    const name = screen.getByLabelText(/이름/);
    expect(name.matches(":disabled")).toBe(false);
    expect(screen.queryByRole("button", { name: "더 보기" })).not.toBeNull();
    page.remove("controller:c1");
    expect(screen.queryByText(/그사이 삭제되었습니다/)).not.toBeNull();
    expect(name.matches(":disabled")).toBe(true);
    expect(screen.getByRole("button", { name: "저장" }).matches(":disabled")).toBe(true);
    expect(screen.queryByRole("button", { name: "더 보기" })).toBeNull();
  });

  it("[controller-edit] moves the focus to the add button after all sensors were removed", async () => {
    const channel = { controllerId: "c1", serial: "17", number: 1, sensorIds: ["s1"], onoff: 2 };
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    page.put({ "channel:11": { ...channel, ...rest, at: null, heardAt: null, quality: null } });
    const clear = await screen.findByRole("button", { name: "1CH 센서 모두 빼기" });
    clear.focus();
    fireEvent.click(clear);
    const adds = screen.getByRole("button", { name: "1CH에 센서 추가" });
    await waitFor(() => expect(document.activeElement).toBe(adds));
  });

  it("[NAME-1] goes to the name of the valve that the panel offers to name", async () => {
    cleanup();
    page.show(<ControllerEditPage />, "/controller/edit?cotId=c1&name=2");
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    const channel = { ...rest, controllerId: "c1", serial: "17", sensorIds: [], onoff: 2 };
    const silent = { at: null, heardAt: null, quality: null };
    page.put({
      "channel:11": { ...channel, ...silent, number: 1 },
      "channel:12": { ...channel, ...silent, number: 2 },
    });
    const names = await screen.findAllByLabelText("밸브 이름");
    await waitFor(() => expect(document.activeElement).toBe(names[1]));
  });

  it("[NAME-1] names a valve in its channel and keeps a name that the relay refuses in its field", async () => {
    const channel = { controllerId: "c1", serial: "17", number: 1, sensorIds: [], onoff: 2 };
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    page.put({ "channel:11": { ...channel, ...rest, at: null, heardAt: null, quality: null } });
    const name = await screen.findByLabelText("밸브 이름");
    fireEvent.change(name, { target: { value: "1동 앞 베드" } });
    let status = 503;
    page.answer = (call) => (call.includes("/relay/") && status > 200 ? refusal(status, "store-down") : {});
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await screen.findByText(/1CH 이름을 저장하지 못했습니다. 나머지는 저장했습니다./);
    expect(name).toHaveProperty("value", "1동 앞 베드");
    status = 200;
    page.answer = () => ({ adoptExternal: false, controllers: {}, channels: {} });
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    await waitFor(() => expect(page.path()).toContain("/sensors/cot/detail"));
    const named = page.requests.filter(({ call }) => call.includes("/relay/channels/11"));
    expect(named.map(({ body }) => body)).toEqual(Array(2).fill({ name: "1동 앞 베드" }));
  });

  it("[controller-edit] selects no type for a controller without one, and accepts any sensor", async () => {
    const { type: _type, ...info } = CONTROLLER.info;
    page.put({ "controller:c1": { ...CONTROLLER, info } });
    const kind = await screen.findByLabelText("컨트롤러 종류");
    await waitFor(() => expect(kind).toHaveProperty("value", ""));
    expect(screen.queryByRole("option", { name: "종류를 골라 주세요", selected: true })).not.toBeNull();
    fireEvent.click(screen.getByRole("checkbox", { name: "1CH" }));
    fireEvent.click(screen.getByRole("button", { name: "1CH에 센서 추가" }));
    expect(await screen.findByText("등록된 센서가 없습니다")).not.toBeNull();
    page.put({
      "sensor:s1": {
        info: { id: "s1", deviceType: "LAT", serial: 3, name: "잎" },
        reading: null,
        at: null,
        heardAt: null,
        quality: null,
        via: "poll",
      },
    });
    expect(await screen.findByText("컨트롤러 종류를 몰라 모든 센서를 보여 드립니다")).not.toBeNull();
  });

  const offered = () =>
    screen
      .getAllByRole("checkbox", { name: /^\dCH$/ })
      .map((checkbox) => checkbox.parentElement?.textContent);

  it("[controller-edit] offers the channels of the controller's type and further ones that the farm API has", async () => {
    const four = ["1CH", "2CH", "3CH", "4CH"];
    expect(offered()).toEqual(four);
    fireEvent.click(screen.getByRole("checkbox", { name: "모두" }));
    expect(screen.getAllByRole("checkbox", { name: /^\dCH$/, checked: true })).toHaveLength(4);
    const channel = { controllerId: "c1", serial: "17", number: 6, sensorIds: [], onoff: 2 };
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    page.put({ "channel:16": { ...channel, ...rest, at: null, heardAt: null, quality: null } });
    await waitFor(() => expect(offered()).toEqual([...four, "6CH"]));
  });

  it("[controller-edit] keeps offering selected channels after a change to a type with fewer", async () => {
    fireEvent.click(screen.getByRole("checkbox", { name: "3CH" }));
    fireEvent.change(screen.getByLabelText("컨트롤러 종류"), { target: { value: "CON01W" } });
    await waitFor(() => expect(offered()).toEqual(["1CH", "3CH"]));
    fireEvent.click(screen.getByRole("checkbox", { name: "3CH" }));
    await waitFor(() => expect(offered()).toEqual(["1CH"]));
  });

  it("[controller-edit] selects all channels with the all button and keeps their sensors, then returns to the server's", async () => {
    const channel = { controllerId: "c1", serial: "17", number: 3, sensorIds: ["s1"], onoff: 2 };
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    page.put({ "channel:13": { ...channel, ...rest, at: null, heardAt: null, quality: null } });
    const chosen = () =>
      screen
        .queryAllByRole("checkbox", { name: /^\dCH$/, checked: true })
        .map(({ parentElement }) => parentElement?.textContent);
    await waitFor(() => expect(chosen()).toEqual(["3CH"]));
    expect(screen.getByRole("checkbox", { name: "3CH" }).matches(":disabled")).toBe(true);
    fireEvent.click(screen.getByRole("checkbox", { name: "2CH" }));
    const all = screen.getByRole("checkbox", { name: "모두" });
    fireEvent.click(all);
    await waitFor(() => expect(chosen()).toEqual(["1CH", "2CH", "3CH", "4CH"]));
    expect(screen.getAllByTestId("channel-sensor")).toHaveLength(1);
    fireEvent.click(all);
    await waitFor(() => expect(chosen()).toEqual(["3CH"]));
    expect(screen.getAllByTestId("channel-sensor")).toHaveLength(1);
  });

  it("[controller-edit] preselects the first channel for a user who came to add it, and lets them deselect it", async () => {
    cleanup();
    page.show(<ControllerEditPage />, "/controller/edit?cotId=c1&add=1");
    const first = await screen.findByRole("checkbox", { name: "1CH" });
    await waitFor(() => expect(first).toHaveProperty("checked", true));
    fireEvent.click(first);
    await waitFor(() => expect(first).toHaveProperty("checked", false));
  });

  it("[form] translates the server's faults of type and channels", async () => {
    const errors = [
      { field: "type", defaultMessage: "controllers of type CON01W do not support sensors of type SMS" },
      { field: "channels", defaultMessage: "a channel is listed twice" },
    ];
    page.answer = () => refusal(422, "validation", { errors });
    fireEvent.change(screen.getByLabelText(/이름/), { target: { value: "새 밸브" } });
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    expect(await screen.findByText("이 종류에 달 수 없는 센서가 있습니다")).not.toBeNull();
    expect(screen.queryByText(/채널을 다시 확인해 주세요/)).not.toBeNull();
    expect(screen.queryByText(/listed twice|do not support/)).toBeNull();
  });

  it("[spec 8] quotes a foreign farm API that refuses a deletion", async () => {
    page.answer = () => new Response(JSON.stringify({ message: "사용 중인 장치입니다" }), { status: 409 });
    fireEvent.click(screen.getByRole("button", { name: "더 보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    const sentence = "삭제하지 못했습니다. 서버에서 거절했습니다: 사용 중인 장치입니다";
    expect(await screen.findByText(sentence)).not.toBeNull();
  });

  it("[CMD-15] says why a deletion waits for a valve, and deletes despite it if the user insists", async () => {
    page.answer = (call) =>
      call.startsWith("DELETE") && page.insisted.at(-1) === null ? refusal(409, "valve-open") : {};
    fireEvent.click(screen.getByRole("button", { name: "더 보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    expect((await screen.findByRole("alert")).textContent).toContain("밸브가 닫혔다는 보고가 아직 없어");
    expect(screen.getByRole("alertdialog").textContent).toContain("물이 계속 흐를 수 있습니다");
    fireEvent.click(screen.getByRole("button", { name: "닫지 않고 삭제" }));
    await waitFor(() => expect(page.path()).not.toContain("/controller/edit"));
    const sent = page.requests.flatMap(({ call }, at) =>
      call.startsWith("DELETE") ? page.insisted[at] : [],
    );
    expect(sent).toEqual([null, "1"]);
  });

  it("[controller-edit] lists the sensors that fit a channel at once, and takes one by a press", async () => {
    const channel = { controllerId: "c1", serial: "17", number: 1, sensorIds: [], onoff: 2 };
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    const sensor = (id: string, name: string, deviceType: string) => ({
      info: { id, serial: `9${id}`, name, deviceType },
      ...{ reading: null, at: null, heardAt: null, quality: null, via: "poll" },
    });
    page.put({
      "channel:11": { ...channel, ...rest, at: null, heardAt: null, quality: null },
      "sensor:1": sensor("1", "2동 흙", "SMS"),
      "sensor:2": sensor("2", "1동 흙", "SMS"),
      "sensor:3": sensor("3", "잎", "LAT"),
    });
    fireEvent.click(await screen.findByRole("button", { name: "1CH에 센서 추가" }));
    const list = await screen.findByRole("list", { name: "연결할 수 있는 센서" });
    expect([...list.querySelectorAll("button")].map(({ textContent }) => textContent)).toEqual([
      "92 1동 흙",
      "91 2동 흙",
    ]);
    fireEvent.click(screen.getByRole("button", { name: "92 1동 흙" }));
    const add = screen.getByRole("button", { name: "추가" });
    await waitFor(() => expect(add.matches(":disabled")).toBe(false));
    expect(screen.queryByRole("list", { name: "연결할 수 있는 센서" })).toBeNull();
  });

  it("[FORM-2] its own deletion is no deletion by another user", async () => {
    const notes: boolean[] = [];
    page.answer = (call) => {
      if (call.startsWith("DELETE")) {
        // The live deletion overtakes the answer.
        page.remove("controller:c1");
        notes.push(screen.queryByText(/그사이 삭제되었습니다/) !== null);
      }
      return {};
    };
    fireEvent.click(screen.getByRole("button", { name: "더 보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    await waitFor(() => expect(page.path()).not.toContain("/controller/edit"));
    expect(notes).toEqual([false]);
  });

  it("[spec 8] reports a deletion once it is done", async () => {
    page.answer = () => ({});
    fireEvent.click(screen.getByRole("button", { name: "더 보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    await waitFor(() => expect(page.path()).not.toContain("/controller/edit"));
    expect(await screen.findByText("컨트롤러를 삭제했습니다")).not.toBeNull();
  });
});
