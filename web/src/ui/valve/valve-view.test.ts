import type { CommandState } from "@mulkko/shared/live/devices";
import { drawnQuality, type Quality, worseQuality } from "@mulkko/shared/rules/quality";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChannelState, type ValveView, valveView } from "./valve-view.ts";

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
      expect(valveView(channel({ command: ask(1, state) }))).toEqual({
        kind: "opening",
        live: true,
        actual: "closed",
      });
    expect(valveView(channel({ onoff: 1, command: ask(2, "accepted") }))).toEqual({
      kind: "closing",
      live: true,
      actual: "open",
    });
  });

  it("[CMD-1] an unconfirmed or failed command against another report is a mismatch", () => {
    expect(valveView(channel({ onoff: 1, command: ask(2, "unconfirmed") }))).toEqual({
      kind: "mismatch",
      live: true,
      actual: "open",
      commanded: "closed",
    });
    expect(valveView(channel({ onoff: 0, command: ask(1, "failed") }))).toMatchObject({ kind: "mismatch" });
  });

  it("[CMD-5] an unconfirmed command clears itself when the state arrives", () => {
    expect(valveView(channel({ onoff: 1, command: ask(1, "unconfirmed") }))).toEqual({
      kind: "open",
      live: true,
    });
  });

  it("[CMD-1] a refused command leaves what was reported", () => {
    expect(valveView(channel({ command: ask(1, "refused") }))).toEqual({
      kind: "closed",
      live: true,
    });
  });

  it("[ONL-5] a position that nothing vouches for is unknown, however it stood", () => {
    for (const quality of ["unknown", null] as const)
      expect(valveView(channel({ onoff: 1, quality }))).toEqual({ kind: "unknown", live: false });
    expect(valveView(channel({ onoff: 0 }))).toEqual({ kind: "unknown", live: false });
  });

  it("[ONL-5] a late, lost or offline controller's position is its last report", () => {
    for (const why of ["late", "lost", "offline"] as const) {
      expect(valveView(channel({ onoff: 1, quality: why }))).toEqual({
        kind: "last",
        live: false,
        actual: "open",
        why,
      });
    }
  });

  /** The best quality that a view claims. */
  const claimed = (view: ValveView) => (view.live ? "fresh" : view.kind === "last" ? view.why : "unknown");

  it("[ONL-2] no drawn state is better than the worse of the value's quality, its link and the screen's", () => {
    const qualities = fc.constantFrom<Quality>("fresh", "late", "offline", "unknown");
    fc.assert(
      fc.property(
        fc.record({
          onoff: fc.constantFrom(0, 1, 2),
          quality: fc.option(qualities),
          link: fc.constantFrom("up", "lost", null, undefined),
          screen: qualities,
          command: fc.option(
            fc.record({
              target: fc.constantFrom(1, 2, null),
              state: fc.constantFrom<CommandState>(
                "requested",
                "accepted",
                "confirmed",
                "refused",
                "unconfirmed",
                "superseded",
                "failed",
              ),
            }),
          ),
        }),
        ({ onoff, quality, link, screen, command }) => {
          const drawn = worseQuality(drawnQuality({ quality, link }), screen);
          const view = valveView({ onoff, command, quality: drawn });
          expect(worseQuality(claimed(view), drawn ?? "unknown")).toBe(claimed(view));
          for (const each of [quality ?? "unknown", link === "lost" ? "lost" : "fresh", screen] as const)
            expect(worseQuality(claimed(view), each)).toBe(claimed(view));
          if (view.live) expect([quality, link === "lost", screen]).toEqual(["fresh", false, "fresh"]);
        },
      ),
    );
  });
});
