import type { ChannelValue } from "@mulkko/shared/live/devices";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import type { ValveUnit } from "../../domain/valve/valve-units.ts";
import { valvesNow, waterIn } from "./valve-now.ts";

const channel = (id: string, change: Partial<ChannelValue> = {}) => ({
  id,
  name: "Bed",
  value: buildChannelValue({ controllerId: "c", number: Number(id), ...change }),
});
const unit = (channels: ReturnType<typeof channel>[]): ValveUnit => ({
  id: "c",
  form: "controller",
  name: "Box",
  serial: "1",
  type: "CON04V",
  quality: "fresh",
  heardAt: null,
  rssi: null,
  link: null,
  channels,
});
const command = (state: "requested" | "failed") =>
  ({
    id: "k",
    command: "onoff",
    target: 1,
    state,
    since: "2026-11-21T03:00:00Z",
    by: { id: 1, nickname: "Kim" },
  }) as const;
const ids = (valves: { channel: { id: string } }[]) => valves.map(({ channel: { id } }) => id);

describe("valves now", () => {
  it("[dashboard] sorts problems first, then open valves, then moving ones, then the others", () => {
    const valves = valvesNow([
      unit([
        channel("1"),
        channel("2", { command: command("requested") }),
        channel("3", { onoff: 1 }),
        channel("4", { command: command("failed") }),
        channel("5"),
      ]),
    ]);
    expect(ids(valves)).toEqual(["4", "3", "2", "1", "5"]);
  });
  it("[dashboard] sorts open channels by their end", () => {
    const valves = valvesNow([
      unit([
        channel("1", { onoff: 1 }),
        channel("2", { onoff: 1, runUntil: "2026-11-21T03:20:00Z" }),
        channel("3", { onoff: 1, runUntil: "2026-11-21T03:10:00Z" }),
        channel("4"),
      ]),
    ]);
    expect(ids(waterIn(valves, "runs", "fresh"))).toEqual(["3", "2", "1"]);
  });
  it("[ONL-2] shows water of a lost or late controller as running by its last report only", () => {
    const valves = valvesNow([
      unit([
        channel("1", { onoff: 1 }),
        channel("2", { onoff: 1, link: "lost" }),
        channel("3", { onoff: 1, quality: "late" }),
        channel("4", { link: "lost" }),
      ]),
    ]);
    expect(ids(waterIn(valves, "runs", "fresh"))).toEqual(["1"]);
    expect(ids(waterIn(valves, "ran", "fresh"))).toEqual(["2", "3"]);
    expect(ids(waterIn(valves, "unknown", "fresh"))).toEqual(["4"]);
  });
});
