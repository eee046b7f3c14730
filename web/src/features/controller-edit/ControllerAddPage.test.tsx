import { eventually } from "@mulkko/shared/testing/eventually";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench, refusal } from "../../testing/page-bench.tsx";
import { ControllerAddPage } from "./ControllerAddPage.tsx";

describe("controller form", () => {
  afterEach(cleanup);

  it("[controller-add] can be cancelled by a button, like the sensor form", async () => {
    const bench = await createPageBench();
    bench.show(<ControllerAddPage />, "/cotadd");
    fireEvent.click(screen.getByRole("button", { name: "취소" }));
    await eventually(() => expect(bench.path()).toBe("/addpage"));
  });

  const CONFIG = { apiTimezone: "Asia/Seoul", mapStyleUrl: null, build: "test" };
  const numbers = () =>
    screen
      .getAllByRole("checkbox", { name: /^\dCH$/ })
      .map((checkbox) => (checkbox as HTMLInputElement).checked);

  async function register(extensions: readonly string[], answerOfUpdate: unknown = {}) {
    const bench = await createPageBench();
    bench.answer = (call) => {
      if (call.includes("/relay/config")) return { ...CONFIG, extensions };
      return call.startsWith("POST /api/v1/controller") ? { id: "c9" } : answerOfUpdate;
    };
    bench.show(<ControllerAddPage />, "/cotadd");
    fireEvent.change(await screen.findByLabelText(/이름/), { target: { value: "1동 밸브" } });
    fireEvent.change(screen.getByLabelText(/일련번호/), { target: { value: "24210909" } });
    return bench;
  }
  const send = () => fireEvent.click(screen.getByRole("button", { name: "등록" }));

  it("[controller-add] offers four selected channels for a four-channel type and one for a one-channel type", async () => {
    await register(["drivers"]);
    expect(numbers()).toEqual([true, true, true, true]);
    fireEvent.change(screen.getByLabelText("컨트롤러 종류"), { target: { value: "CON01W" } });
    expect(numbers()).toEqual([true]);
    fireEvent.change(screen.getByLabelText("컨트롤러 종류"), { target: { value: "CON04E" } });
    expect(numbers()).toEqual([true, true, true, true]);
  });

  it.each([
    ["none", [], 0],
    ["one", [7], 7],
    ["two", [7, 8], 0],
  ])("[FIRST-1] chooses the only farm beforehand, of %s", async (_count, ids, chosen) => {
    const bench = await register(["drivers", "controller-farm"]);
    await screen.findByLabelText("연결 방식");
    const farm = (id: number) => ({ info: { id, name: `농장 ${id}`, description: null, sensorIds: [] } });
    bench.put(Object.fromEntries(ids.map((id) => [`farm:${id}`, farm(id)])));
    send();
    await eventually(() => expect(bench.path()).toBe("/sensors/cot/detail?cotId=c9"));
    const sent = bench.requests.find(({ call }) => call.startsWith("POST /api/v1/controller"));
    expect(sent?.body).toMatchObject({ clusterId: chosen });
  });

  it("[controller-add] registers four channels without sensors in one call if the API supports it", async () => {
    const bench = await register(["drivers"]);
    await screen.findByLabelText("연결 방식");
    send();
    await eventually(() => expect(bench.path()).toBe("/sensors/cot/detail?cotId=c9"));
    const sent = bench.requests.filter(({ call }) => call.includes("/api/v1/controller"));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      channels: [1, 2, 3, 4].map((channelNumber) => ({ channelNumber, sensorIds: [] })),
    });
  });

  it("[controller-add] sends the channels of an API without extensions in a second call and shows its refusal", async () => {
    const bench = await register([], refusal(422, "validation"));
    send();
    await eventually(() => expect(bench.path()).toBe("/sensors/cot/detail?cotId=c9"));
    const sent = bench.requests.filter(({ call }) => call.includes("/api/v1/controller"));
    expect(sent.map(({ call }) => call)).toEqual(["POST /api/v1/controller", "PUT /api/v1/controller/c9"]);
    expect(sent[0]?.body).not.toHaveProperty("channels");
    await screen.findByText(/채널을 만들지 못했습니다/);
  });

  it.each([
    ["a failure and nothing of it in the list", 500, [], true, /^컨트롤러를 등록하지 못했습니다\. ./],
    ["a failure and no list", 500, undefined, false, /./],
    // A server in front of the farm API cannot know.
    ["a farm API out of reach", 503, [], false, /^농장 서버에 연결할 수 없습니다/],
  ] as const)(
    "[FORM-1] says of a controller, with %s, if it is known not to be created",
    async (_, status, list, isKnown, sentence) => {
      const bench = await register(["drivers"]);
      await screen.findByLabelText("연결 방식");
      bench.answer = (call) =>
        call.startsWith("POST /api/v1/controller")
          ? refusal(status, status === 503 ? "upstream-down" : "internal")
          : list;
      send();
      expect((await screen.findByRole("alert")).textContent).toMatch(sentence);
      expect(screen.queryByTestId("form-unsure") !== null).toBe(!isKnown);
    },
  );
});
