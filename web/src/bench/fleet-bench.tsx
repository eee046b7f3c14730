import { relayPath } from "@mulkko/shared/rest/routes";
import { createSimulatedFleet, type SimulatedFleet } from "@mulkko/shared/testing/simulated-fleet";
import { StatusPage } from "../features/admin-fleet/StatusPage.tsx";
import type { BenchFarm } from "./bench-farm.ts";
import { picture, type Scrolled, scroll, scrollBare } from "./scrolling.ts";

export const FleetBench = () => <StatusPage />;

/** A relay gathers what changes for so long before it sends a frame (SUB-6), ms. */
const FRAME_MS = 100;
/** Values of one part of the snapshot. */
const PART_KEYS = 1_000;
/** As often as a relay says that it is there (LIVE-1), ms. */
const BEAT_MS = 10_000;
/** A flip that is not drawn by then is lost, ms. */
const LOST_AFTER_MS = 10_000;

let fleet: SimulatedFleet | null = null;
let offset = 1;

/** Brings a fleet of so many devices, as a relay does: in parts. */
export function showFleet(farm: BenchFarm, devices: number, accounts: number): void {
  fleet = createSimulatedFleet({ devices, accounts, now: Date.now });
  const all = [...fleet.state];
  const of = Math.ceil(all.length / PART_KEYS);
  for (let part = 1; part <= of; part += 1) {
    const state = Object.fromEntries(all.slice((part - 1) * PART_KEYS, part * PART_KEYS));
    farm.take(JSON.stringify({ t: "snapshot", stream: "fleet", epoch: "e", offset, part, of, state }));
  }
  setInterval(() => farm.take(JSON.stringify({ t: "beat", serverTime: new Date().toISOString() })), BEAT_MS);
}

/** The heartbeats of the simulated devices; null for what is no question for them. */
export function beatsAnswer(path: string): Response | null {
  if (fleet === null || !path.startsWith(relayPath.fleetBeats)) return null;
  const ids = new URLSearchParams(path.slice(path.indexOf("?"))).get("ids") ?? "";
  return Response.json(fleet.beats(ids.split(",")));
}

/** Frames a second beside flips, and how long flips take to the screen. */
export interface FlippedScroll extends Scrolled {
  readonly flips: number;
  /** ms from the frame off the wire to the picture that shows a flipped row. */
  readonly arrivals: readonly number[];
}

const rowOf = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-device="${CSS.escape(key)}"]`);

/** Runs in the page, called by the bench. */
export function createFleetRunner(farm: BenchFarm) {
  const shown = () => document.querySelectorAll<HTMLElement>("[data-device]");
  const say = (patch: unknown) => {
    const from = offset;
    offset += 1;
    farm.take(JSON.stringify({ t: "change", stream: "fleet", from, offset, patch }));
  };
  /** Follows one device that is in the page until its row says what it should. */
  const follow = async (key: string, state: string): Promise<number | null> => {
    const began = performance.now();
    while (performance.now() - began < LOST_AFTER_MS) {
      await picture();
      const row = rowOf(key);
      // It was scrolled or sorted away: nobody waits for it.
      if (row === null) return null;
      if (row.dataset.state === state) return performance.now() - began;
    }
    return LOST_AFTER_MS;
  };
  /** Lets devices flip until it is stopped; one of each frame is in the page and followed. */
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
    /** The board stands still while devices flip. */
    async rest(ms: number, flipsPerSecond: number): Promise<FlippedScroll> {
      const rows = shown().length;
      const stop = flipping(flipsPerSecond);
      const frames: number[] = [];
      const began = performance.now();
      let before = await picture();
      while (performance.now() - began < ms) {
        const now = await picture();
        frames.push(now - before);
        before = now;
      }
      return { frames, rows, height: document.documentElement.scrollHeight, ...(await stop()) };
    },
    scrollBare,
    /** ms from one flip to the board's own number of silent devices. */
    async counted(): Promise<number> {
      const chip = document.querySelector<HTMLElement>(".filter-bar .chip__count");
      const key = shown()[0]?.dataset.device;
      if (fleet === null || chip === null || key === undefined) throw new Error("the board is not drawn");
      const before = chip.textContent;
      const began = performance.now();
      say(fleet.flipOne(key));
      while (chip.textContent === before && performance.now() - began < LOST_AFTER_MS) await picture();
      return performance.now() - began;
    },
  };
}
