import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CloseValves } from "../../domain/fleet/CloseValve.tsx";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
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
});
