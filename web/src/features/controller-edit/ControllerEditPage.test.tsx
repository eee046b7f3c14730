import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { ControllerEditPage } from "./ControllerEditPage.tsx";

const BOX = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: null,
  quality: null,
  link: null,
};

describe("the page that edits a controller", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench(["controller-edit"]);
    page.show(<ControllerEditPage />, "/controller/edit?cotId=c1");
    page.put({ "controller:c1": BOX });
    page.link("live");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[form] a controller that was deleted elsewhere can only be read, and is not deleted once more", () => {
    const name = screen.getByLabelText(/이름/);
    expect(name.matches(":disabled")).toBe(false);
    expect(screen.queryByRole("button", { name: "더보기" })).not.toBeNull();
    page.remove("controller:c1");
    expect(screen.queryByText(/그사이 삭제되었습니다/)).not.toBeNull();
    expect(name.matches(":disabled")).toBe(true);
    expect(screen.getByRole("button", { name: "저장" }).matches(":disabled")).toBe(true);
    expect(screen.queryByRole("button", { name: "더보기" })).toBeNull();
  });

  it("[controller-edit] whoever takes all sensors off goes on from the button that adds one", async () => {
    const channel = { controllerId: "c1", serial: "17", number: 1, sensorIds: ["s1"], onoff: 2 };
    const rest = { modes: null, moisture: null, runUntil: null, endsBy: null, command: null };
    page.put({ "channel:11": { ...channel, ...rest, at: null, heardAt: null, quality: null } });
    const clear = await screen.findByRole("button", { name: "1CH 센서 모두 빼기" });
    clear.focus();
    fireEvent.click(clear);
    const adds = screen.getByRole("button", { name: "1CH에 센서 추가" });
    await waitFor(() => expect(document.activeElement).toBe(adds));
  });

  it("[NAME-1] a valve is named where its channel is edited; what the relay refuses stays in its field", async () => {
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
    const named = page.heard.filter(({ call }) => call.includes("/relay/channels/11"));
    expect(named.map(({ body }) => body)).toEqual(Array(2).fill({ name: "1동 앞 베드" }));
  });

  it("[controller-edit] a controller of which the farm API gives no type has none chosen, and may be given any sensor", async () => {
    const { type: _type, ...info } = BOX.info;
    page.put({ "controller:c1": { ...BOX, info } });
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

  it("[form] what the server says of type and channels is told in the reader's language", async () => {
    const errors = [
      { field: "type", defaultMessage: "a CON01W takes no sensors of type SMS" },
      { field: "channels", defaultMessage: "a channel is listed twice" },
    ];
    page.answer = () => refusal(422, "validation", { errors });
    fireEvent.change(screen.getByLabelText(/이름/), { target: { value: "새 밸브" } });
    fireEvent.click(screen.getByRole("button", { name: "저장" }));
    expect(await screen.findByText("이 종류에 달 수 없는 센서가 있습니다")).not.toBeNull();
    expect(screen.queryByText(/채널을 다시 확인해 주세요/)).not.toBeNull();
    expect(screen.queryByText(/listed twice|takes no sensors/)).toBeNull();
  });

  it("[spec 8] a deletion that a foreign farm API refuses is told in that API's own words", async () => {
    page.answer = () => new Response(JSON.stringify({ message: "사용 중인 장치입니다" }), { status: 409 });
    fireEvent.click(screen.getByRole("button", { name: "더보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    const sentence = "삭제하지 못했습니다. 서버가 받지 않았습니다: 사용 중인 장치입니다";
    expect(await screen.findByText(sentence)).not.toBeNull();
  });

  it("[spec 8] a deletion is told once it is done", async () => {
    page.answer = () => ({});
    fireEvent.click(screen.getByRole("button", { name: "더보기" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "삭제" }));
    fireEvent.click(await screen.findByRole("button", { name: "삭제" }));
    await waitFor(() => expect(page.path()).not.toContain("/controller/edit"));
    expect(await screen.findByText("컨트롤러를 삭제했습니다")).not.toBeNull();
  });
});
