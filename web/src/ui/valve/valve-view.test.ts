import type { CommandState } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { type ChannelState, valveView } from "./valve-view.ts";

const channel = (over: Partial<ChannelState>): ChannelState => ({
  onoff: 2,
  command: null,
  quality: "fresh",
  ...over,
});
const ask = (target: 1 | 2, state: CommandState) => ({ target, state });

describe("[CMD-2] how a channel is drawn", () => {
  it("[CMD-2] an open command never shows its target as the state", () => {
    for (const state of ["requested", "accepted"] as const)
      expect(valveView(channel({ command: ask(1, state) }))).toEqual({ kind: "opening", actual: "closed" });
    expect(valveView(channel({ onoff: 1, command: ask(2, "accepted") }))).toEqual({
      kind: "closing",
      actual: "open",
    });
  });

  it("[CMD-1] an unconfirmed or failed command against another report is a mismatch", () => {
    expect(valveView(channel({ onoff: 1, command: ask(2, "unconfirmed") }))).toEqual({
      kind: "mismatch",
      actual: "open",
      commanded: "closed",
    });
    expect(valveView(channel({ onoff: 0, command: ask(1, "failed") }))).toMatchObject({ kind: "mismatch" });
  });

  it("[CMD-5] an unconfirmed command clears itself when the state arrives", () => {
    expect(valveView(channel({ onoff: 1, command: ask(1, "unconfirmed") }))).toEqual({ kind: "open" });
  });

  it("[CMD-1] a refused command leaves what was reported", () => {
    expect(valveView(channel({ command: ask(1, "refused") }))).toEqual({ kind: "closed" });
  });

  it("[ONL-5] a position of a silent controller is unknown, however it stood", () => {
    for (const quality of ["offline", "unknown", null] as const)
      expect(valveView(channel({ onoff: 1, quality }))).toEqual({ kind: "unknown" });
    expect(valveView(channel({ onoff: 0 }))).toEqual({ kind: "unknown" });
    expect(valveView(channel({ onoff: 1, quality: "late" }))).toEqual({ kind: "open" });
  });
});
