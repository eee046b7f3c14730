import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CloseValves } from "../../domain/fleet/CloseValve.tsx";
import { storedCommands } from "../../domain/valve/stored-commands.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { ValveList } from "./OwnerValves.tsx";

describe("valves of another account's device", () => {
  let bench: PageBench;
  beforeEach(async () => {
    bench = await createPageBench();
    bench.show(
      <CloseValves>
        <ValveList account={{ id: "a1", name: "kim" }} deviceId="c1" />
      </CloseValves>,
    );
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    storedCommands.setState([], true);
  });
  const channel = (number: number, change: object) =>
    buildChannelValue({ controllerId: "c1", number, name: `밸브 ${number}`, quality: "fresh", ...change });
  const closes = () =>
    screen.getAllByRole("listitem").map((line) => within(line).queryAllByRole("button").length);

  it("[WARN-6] offers a close for an open or doubtful valve, none for a closed one, and never an opening", async () => {
    expect(screen.getByText("밸브를 읽는 중")).toBeTruthy();
    bench.link("live");
    expect(screen.getByText("밸브가 없습니다")).toBeTruthy();
    bench.put({
      "channel:11": channel(1, { onoff: 1 }),
      "channel:12": channel(2, { onoff: 2 }),
      "channel:13": channel(3, { onoff: 0 }),
      "channel:14": channel(4, { onoff: 2, quality: "offline" }),
      "channel:91": buildChannelValue({ controllerId: "c9", number: 1, onoff: 1 }),
    });
    expect(closes()).toEqual([1, 0, 1, 1]);
    expect(screen.queryByRole("button", { name: /열기/ })).toBeNull();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "밸브 닫기: 밸브 1 1CH" })));
    expect(await screen.findByRole("dialog", { name: "밸브 1 1CH 닫을까요?" })).toBeTruthy();
  });

  it("[WARN-6] stores a close without an answer, and shows it again in a dialog that is opened later", async () => {
    bench.link("live");
    bench.put({ "channel:11": channel(1, { onoff: 1 }) });
    bench.answer = () => refusal(503, "store-down");
    const ask = () => act(async () => fireEvent.click(screen.getByRole("button", { name: /^밸브 닫기: / })));
    await ask();
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: "연락 안 됨" } });
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "밸브 닫기" })));
    expect(within(dialog).getByTestId("remembered-command").textContent).toContain("닫기");
    expect(Object.values({ ...localStorage }).join()).toContain("연락 안 됨");
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "닫기" })));
    await ask();
    expect(await screen.findByTestId("remembered-command")).toBeTruthy();
    const sent = bench.requests.filter(({ call }) => call === "POST /relay/fleet/close");
    expect(sent[0]?.body).toMatchObject({ accountId: "a1", controllerId: "c1", channelId: "11" });
  });

  it("[WARN-6] says why a close was refused for good, and lets the reason be written again", async () => {
    bench.link("live");
    bench.put({ "channel:11": channel(1, { onoff: 1 }) });
    bench.answer = () => refusal(403, "forbidden");
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /^밸브 닫기: / })));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: "연락 안 됨" } });
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "밸브 닫기" })));
    expect((await within(dialog).findByTestId("error-note")).textContent).toContain("닫지 못했습니다");
    expect(within(dialog).getByRole("textbox")).toBeTruthy();
  });
});
