import type { ChannelValue } from "@mulkko/shared/live/devices";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import type { ValveUnit } from "../../domain/valve/valve-units.ts";
import { listedValves, valvesNow, waterIn } from "./valve-now.ts";

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
const ids = (valves: readonly { channel: { id: string } }[]) => valves.map(({ channel: { id } }) => id);

describe("valves now", () => {
  it("[UI-5] lists valves in the same places, whatever each of them does", () => {
    const states: Partial<ChannelValue>[] = [
      {},
      { onoff: 1 },
      { command: command("requested") },
      { command: command("failed") },
      { onoff: 1, link: "lost" },
    ];
    for (const state of states)
      for (const moving of ["1", "2", "3", "4", "5"]) {
        const all = ["1", "2", "3", "4", "5"].map((id) => channel(id, id === moving ? state : {}));
        const shown = ids(listedValves(valvesNow([unit(all)]), 3));
        expect(shown.slice(0, 3)).toEqual(["1", "2", "3"]);
        // One beyond the maximum follows while it is busy.
        const isBeyond = Number(moving) > 3 && Object.keys(state).length > 0;
        expect(shown.slice(3)).toEqual(isBeyond ? [moving] : []);
      }
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
