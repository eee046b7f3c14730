import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveProvider } from "../../live/hooks.ts";
import { parseValue } from "../../live/store.ts";
import { createBench, sensorValue } from "../../live/testing/fake-relay.ts";
import { useTableRows } from "./model.ts";

const IDLE_MS = 30_000;

function setUp() {
  const { client, tokens } = createBench();
  const put = (id: string, moisture: number, name = `House ${id}`) => {
    const info = { id, deviceType: "SMS", serial: Number(id), name };
    const entry = parseValue("sensor", id, sensorValue({ info, reading: { moisture } }));
    if (!entry) throw new Error("the value does not fit its schema");
    act(() => client.store.apply({ put: [entry], remove: [] }));
  };
  put("1", 10);
  const { result, rerender } = renderHook(({ moment }) => useTableRows("SMS", moment), {
    initialProps: { moment: "a" },
    wrapper: ({ children }: { children: ReactNode }) => (
      <LiveProvider tokens={tokens} client={client}>
        {children}
      </LiveProvider>
    ),
  });
  const moistures = () => result.current.rows.map(({ values }) => values.moisture);
  return { put, rerender, moistures, rows: () => result.current.rows };
}

describe("rows of the sensor table", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("[sensor-table] keep their order when a reading arrives, until the table is sorted again", () => {
    const { put, moistures, rerender } = setUp();
    put("1", 20);
    expect(moistures()).toEqual([10]);
    rerender({ moment: "b" });
    expect(moistures()).toEqual([20]);
  });

  it("[sensor-table] are sorted again after 30 s without user input", () => {
    const { put, moistures } = setUp();
    put("1", 20);
    act(() => vi.advanceTimersByTime(IDLE_MS - 1));
    act(() => {
      window.dispatchEvent(new Event("pointermove"));
      vi.advanceTimersByTime(IDLE_MS - 1);
    });
    expect(moistures()).toEqual([10]);
    act(() => vi.advanceTimersByTime(1));
    expect(moistures()).toEqual([20]);
  });

  it("[sensor-table] include an added or renamed sensor at once", () => {
    const { put, rows } = setUp();
    put("2", 5);
    expect(rows().map(({ name }) => name)).toEqual(["House 1", "House 2"]);
    put("1", 10, "Barn");
    expect(rows().map(({ name }) => name)).toEqual(["Barn", "House 2"]);
  });
});
