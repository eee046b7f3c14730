import { relayPath } from "@mulkko/shared/rest/routes";
import { createSimulatedFleet, type SimulatedFleet } from "@mulkko/shared/testing/simulated-fleet";
import { StatusPage } from "../features/admin-fleet/StatusPage.tsx";
import type { BenchFarm } from "./bench-farm.ts";
import { animationFrame, type Scrolled, scroll, scrollBare } from "./scrolling.ts";

export const FleetBench = () => <StatusPage />;

/** Time over which a relay collects changes before it sends a frame (SUB-6), ms. */
const FRAME_MS = 100;
/** Number of values in one part of the snapshot. */
const PART_KEYS = 1_000;
/** Interval of a relay's heartbeats (LIVE-1), ms. */
const BEAT_MS = 10_000;
/** A flip not rendered after this time is lost, ms. */
const LOST_AFTER_MS = 10_000;

let fleet: SimulatedFleet | null = null;
let offset = 1;

/** Send a fleet of the given number of devices in parts, as a relay does. */
export function showFleet(farm: BenchFarm, devices: number, accounts: number): void {
  fleet = createSimulatedFleet({ devices, accounts, now: Date.now });
  const all = [...fleet.state];
  const of = Math.ceil(all.length / PART_KEYS);
  for (let part = 1; part <= of; part += 1) {
    const state = Object.fromEntries(all.slice((part - 1) * PART_KEYS, part * PART_KEYS));
    farm.receive(JSON.stringify({ t: "snapshot", stream: "fleet", epoch: "e", offset, part, of, state }));
  }
  setInterval(
    () => farm.receive(JSON.stringify({ t: "beat", serverTime: new Date().toISOString() })),
    BEAT_MS,
  );
}

/** Answer a query for the simulated devices' heartbeats; null for any other path. */
export function beatsAnswer(path: string): Response | null {
  if (fleet === null || !path.startsWith(relayPath.fleetBeats)) return null;
  const ids = new URLSearchParams(path.slice(path.indexOf("?"))).get("ids") ?? "";
  return Response.json(fleet.beats(ids.split(",")));
}

/** Frames per second during flips, and the latency of flips to the screen. */
export interface FlippedScroll extends Scrolled {
  readonly flips: number;
  /** Time from the received frame to the rendered frame with the flipped row, ms. */
  readonly arrivals: readonly number[];
}

const rowOf = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-device="${CSS.escape(key)}"]`);

/** Create the functions that the benchmark calls in the page. */
export function createFleetRunner(farm: BenchFarm) {
  const shown = () => document.querySelectorAll<HTMLElement>("[data-device]");
  const say = (patch: unknown) => {
    const from = offset;
    offset += 1;
    farm.receive(JSON.stringify({ t: "change", stream: "fleet", from, offset, patch }));
  };
  /** Follow a rendered device until its row shows the expected state. */
  const follow = async (key: string, state: string): Promise<number | null> => {
    const began = performance.now();
    while (performance.now() - began < LOST_AFTER_MS) {
      await animationFrame();
      const row = rowOf(key);
      // The row was scrolled or sorted away: stop waiting.
      if (row === null) return null;
      if (row.dataset.state === state) return performance.now() - began;
    }
    return LOST_AFTER_MS;
  };
  /** Flip devices until stopped; one of each frame is rendered and followed. */
  const flipping = (perSecond: number) => {
    const followed: Promise<number | null>[] = [];
    let flips = 0;
    let owed = 0;
    const timer = setInterval(() => {
      if (fleet === null) return;
      owed += (perSecond * FRAME_MS) / 1_000;
      const count = Math.floor(owed);
      owed -= count;
      if (count === 0) return;
      const rows = shown();
      const key = rows[flips % Math.max(1, rows.length)]?.dataset.device;
      const seen = key === undefined ? {} : fleet.flipOne(key);
      const others = fleet.flip(count - 1);
      if (key !== undefined && others[key] === undefined) {
        followed.push(follow(key, seen[key]?.quality ?? "never"));
      }
      flips += count;
      say({ ...seen, ...others });
    }, FRAME_MS);
    return async () => {
      clearInterval(timer);
      const arrivals = (await Promise.all(followed)).filter((ms) => ms !== null);
      return { flips, arrivals };
    };
  };
  return {
    rows: () => shown().length,
    async scroll(pictures: number, flipsPerSecond: number): Promise<FlippedScroll> {
      const rows = shown().length;
      const stop = flipping(flipsPerSecond);
      const frames = await scroll(pictures);
      return { frames, rows, height: document.documentElement.scrollHeight, ...(await stop()) };
    },
    /** Measure without scrolling while devices flip. */
    async rest(ms: number, flipsPerSecond: number): Promise<FlippedScroll> {
      const rows = shown().length;
      const stop = flipping(flipsPerSecond);
      const frames: number[] = [];
      const began = performance.now();
      let before = await animationFrame();
      while (performance.now() - began < ms) {
        const now = await animationFrame();
        frames.push(now - before);
        before = now;
      }
      return { frames, rows, height: document.documentElement.scrollHeight, ...(await stop()) };
    },
    scrollBare,
    /** Measure the time from one flip to the board's count of silent devices, ms. */
    async counted(): Promise<number> {
      const chip = document.querySelector<HTMLElement>('[data-testid="filter-bar"] [data-count]');
      const key = shown()[0]?.dataset.device;
      if (fleet === null || chip === null || key === undefined) throw new Error("the board is not drawn");
      const before = chip.textContent;
      const began = performance.now();
      say(fleet.flipOne(key));
      while (chip.textContent === before && performance.now() - began < LOST_AFTER_MS) await animationFrame();
      return performance.now() - began;
    },
  };
}
