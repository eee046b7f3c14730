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

describe("[CMD-2] drawn state of a channel", () => {
  it("[CMD-2] never shows an open command's target as the state", () => {
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

  it("[CMD-1] shows a mismatch for an unconfirmed or failed command and a different report", () => {
    expect(valveView(channel({ onoff: 1, command: ask(2, "unconfirmed") }))).toEqual({
      kind: "mismatch",
      live: true,
      actual: "open",
      commanded: "closed",
    });
    expect(valveView(channel({ onoff: 0, command: ask(1, "failed") }))).toMatchObject({ kind: "mismatch" });
  });

  it("[CMD-5] clears an unconfirmed command when the state arrives", () => {
    expect(valveView(channel({ onoff: 1, command: ask(1, "unconfirmed") }))).toEqual({
      kind: "open",
      live: true,
    });
  });

  it("[CMD-1] keeps the reported position after a refused command", () => {
    expect(valveView(channel({ command: ask(1, "refused") }))).toEqual({
      kind: "closed",
      live: true,
    });
  });

  it("[ONL-5] shows an unconfirmed position as unknown, whatever it was", () => {
    for (const quality of ["unknown", null] as const)
      expect(valveView(channel({ onoff: 1, quality }))).toEqual({ kind: "unknown", live: false });
    expect(valveView(channel({ onoff: 0 }))).toEqual({ kind: "unknown", live: false });
  });

  it("[ONL-5] shows a late, lost or offline controller's position as its last report", () => {
    for (const why of ["late", "lost", "offline"] as const) {
      expect(valveView(channel({ onoff: 1, quality: why }))).toEqual({
        kind: "last",
        live: false,
        actual: "open",
        why,
      });
    }
  });

  /** Return the best quality that a view claims. */
  const claimed = (view: ValveView) => (view.live ? "fresh" : view.kind === "last" ? view.why : "unknown");

  it("[ONL-2] never draws a state better than the worst of the value's, the link's and the screen's quality", () => {
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
