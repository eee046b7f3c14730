import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LiveEntry, parseValue } from "../../live/store.ts";
import { sensorValue } from "../../live/testing/fake-relay.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { SensorPicker } from "./SensorPicker.tsx";

const sensor = (number: number): LiveEntry => {
  const info = {
    id: `s${number}`,
    deviceType: "SMS",
    serial: 1_000 + number,
    name: `House ${1_000 + number}`,
  };
  const entry = parseValue("sensor", info.id, sensorValue({ info }));
  if (!entry) throw new Error("the value does not fit its schema");
  return entry;
};

function Picker() {
  const [selected, select] = useState<readonly string[]>([]);
  return <SensorPicker selected={selected} onSelect={select} />;
}

describe("sensor picker", () => {
  let bench: PageBench;
  // jsdom has no layout: the list that scrolls has a height here.
  const height = Object.getOwnPropertyDescriptor(Element.prototype, "clientHeight");
  beforeEach(async () => {
    Object.defineProperty(Element.prototype, "clientHeight", { configurable: true, value: 400 });
    bench = await createPageBench();
  });
  afterEach(() => {
    cleanup();
    if (height) Object.defineProperty(Element.prototype, "clientHeight", height);
  });

  const show = (count: number) => {
    bench.show(<Picker />);
    const put = Array.from({ length: count }, (_, number) => sensor(number));
    act(() => bench.live.client.store.apply({ put, remove: [] }));
  };
  const side = (name: RegExp) => within(screen.getByRole("region", { name }));

  it("[farms] renders the rows near the viewport out of a thousand, and counts all of them", () => {
    show(1_000);
    expect(side(/1000/).getAllByRole("listitem").length).toBeLessThan(60);
  });

  it("[FARM-1] names every farm that lists a sensor", () => {
    show(1);
    const farm = (id: string, name: string) => ({
      info: { id, name, description: null, sensorIds: ["s0"] },
    });
    bench.put({ "farm:f1": farm("f1", "Icheon"), "farm:f2": farm("f2", "Yeoju") });
    expect(side(/1/).getByRole("listitem").textContent).toContain("Icheon, Yeoju");
  });

  it("[farms] moves a sensor to the other side on a click and focuses the next one", async () => {
    show(3);
    fireEvent.click(side(/3/).getByRole("button", { name: /House 1001/ }));
    expect(side(/1/).getByRole("button", { name: /House 1001/ })).not.toBeNull();
    await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(document.activeElement?.textContent).toContain("House 1002");
  });

  it("[farms] focuses the first sensor of the other side when one side becomes empty", async () => {
    show(2);
    fireEvent.click(side(/2/).getByRole("button", { name: /2개 모두 고르기/ }));
    await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(document.activeElement?.textContent).toContain("House 1000");
  });
});
