import type { FleetListValue } from "@mulkko/shared/live/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Asking } from "../access/polled-reader.ts";
import type { PollUnits } from "../account/polling/poll-units.ts";
import type { PresenceWatch } from "../account/presence-watch.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import type { LastSeen, ListedDevice } from "./fleet-list.ts";
import { KEPT_WITHIN_MS } from "./stored-fleet.ts";

/**
 * The newest log of each device that was requested one by one, or null for a device without one, and the time
 * of the request (ms UTC).
 */
export type LearnedLastSeen = Map<string, { readonly lastSeen: LastSeen | null; readonly at: number }>;

export interface AskedDevicesDeps {
  /** Kept by the caller between owners on this node. */
  readonly learned: LearnedLastSeen;
  readonly units: Pick<PollUnits, "add" | "has" | "remove" | "dueWithin">;
  readonly watch: Pick<PresenceWatch, "quality" | "reported" | "cannotTell">;
  readonly clock: Pick<Clock, "now">;
  readonly isOwned: (key: string) => boolean;
  readonly latest: (id: ListedDevice["id"], asking: Asking) => Promise<LastSeen | null>;
  /** Called with the last report of a device that was answered before, for the index. */
  readonly onRecalled: (key: string, lastSeen: LastSeen) => void;
  /** Called with the answer for a device. */
  readonly onAnswer: (key: string, lastSeen: LastSeen | null) => void;
  /** Interval of the requests, ms; null: none. */
  readonly interval: () => number | null;
  /** Called when the counts have changed. */
  readonly onCount: () => void;
}

/** ms per device over which the first requests are spread, and the least in total. */
const FIRST_ASK = { each: 200, least: 20_000 } as const;

const latestUnit = (key: string): string => `latest:${key}`;

/** The sensors whose last report the list does not name, so that each one is requested. */
export class AskedDevices {
  readonly #deps: AskedDevicesDeps;
  readonly #all = new Set<string>();
  /** Those without an answer yet. */
  readonly #unanswered = new Set<string>();

  constructor(deps: AskedDevicesDeps) {
    this.#deps = deps;
  }

  get counts(): NonNullable<FleetListValue["asked"]> {
    return { answered: this.#all.size - this.#unanswered.size, of: this.#all.size };
  }

  isUnanswered(key: string): boolean {
    return this.#unanswered.has(key);
  }

  /** Request a device from now on, unless the list or an owner names its last report. */
  ask({ key, id, kind, lastSeen: inList }: ListedDevice): void {
    const { clock, interval, isOwned, latest, learned, onAnswer, units } = this.#deps;
    const name = latestUnit(key);
    if (inList !== undefined || kind !== "sensor" || isOwned(key) || units.has(name)) return;
    units.add(
      {
        name,
        interval,
        stretches: () => true,
        urgent: () => false,
        async ask(asking) {
          const lastSeen = await latest(id, asking);
          learned.set(key, { lastSeen, at: clock.now() });
          onAnswer(key, lastSeen);
        },
        failed: (error) => {
          // The API refuses this device for good, whose quality stays unknown.
          if (error instanceof UpstreamStatusError && !error.isAccess && !error.temporary) this.answered(key);
        },
      },
      "spread",
    );
    this.#all.add(key);
    this.#recall(key);
  }

  /** A device has answered, or cannot. */
  answered(key: string): void {
    if (this.#unanswered.delete(key)) this.#deps.onCount();
  }

  /** Request a device no more. */
  leaveOut(key: string): void {
    this.#deps.units.remove(latestUnit(key));
    this.#unanswered.delete(key);
    if (this.#all.delete(key)) this.#deps.onCount();
  }

  /** Forget the answers of devices that the list does not have. */
  forgetOthers(listed: ReadonlySet<string>): void {
    const { learned } = this.#deps;
    for (const key of learned.keys()) if (!listed.has(key)) learned.delete(key);
  }

  /** Request devices without an answer sooner than their interval. */
  hurry(): void {
    const within = Math.max(FIRST_ASK.least, FIRST_ASK.each * this.#unanswered.size);
    for (const key of this.#unanswered) this.#deps.units.dueWithin(latestUnit(key), within);
  }

  /** Start from a device's earlier answer. Without one its quality is unknown until it is requested. */
  #recall(key: string): void {
    const { clock, learned, onRecalled, watch } = this.#deps;
    if (watch.quality(key) !== null) return;
    const known = learned.get(key);
    if (known?.lastSeen) onRecalled(key, known.lastSeen);
    if (known && clock.now() - known.at <= KEPT_WITHIN_MS) {
      if (known.lastSeen) watch.reported(key, { heardAt: known.lastSeen.heardAt, regular: false });
      return;
    }
    watch.cannotTell(key);
    this.#unanswered.add(key);
  }
}
