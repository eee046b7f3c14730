import type { FleetListValue } from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY } from "@mulkko/shared/live/fleet-keys";
import type { AccountWriter } from "../account/writer.ts";
import type { Reception } from "../upstream/reception.ts";
import type { FleetSums } from "./fleet-index.ts";

/** How far the list of the fleet is read. */
type Progress = Pick<FleetListValue, "loaded" | "total">;

export interface ListEntryDeps {
  readonly writer: Pick<AccountWriter, "set">;
  readonly reception: Pick<Reception, "withheld">;
  readonly sums: () => FleetSums;
  /** Devices that are requested one by one, and how many of them have answered. */
  readonly asked: () => NonNullable<FleetListValue["asked"]>;
  /** This machine's clock, ms UTC. */
  readonly now: () => number;
}

/** ms, or list intervals, without a list after which changes of devices were missed. */
const LISTED_WITHIN_MS = 15 * 60_000;
const LISTS_MISSED = 3;

/** The sums before the list of devices is read. */
const NOT_KNOWN = {
  urgent: null,
  openValves: null,
  openBeyondEnd: null,
  unknownValves: null,
  unwatched: null,
  leftOff: 0,
} as const;

/** The entry of the `fleet` stream about its list: how far it is read, since when flips are known, and the sums. */
export class ListEntry {
  readonly #deps: ListEntryDeps;
  #progress: Progress = { loaded: 0, total: null };
  /** True once the whole list was read, here or by the owner before. */
  #isListed = false;
  /** True once the devices of the owner before are known: until then the sums are those of no account. */
  #hasSums: boolean;
  #knownSince: FleetListValue["knownSince"] = null;
  /** When the list was last read, ms UTC; null: never. */
  #listedAt: number | null = null;

  /** @param stored the entry of the owner before, and how long ago it read the list, ms; null without one */
  constructor(
    deps: ListEntryDeps,
    stored: { readonly entry: FleetListValue | undefined; readonly listedAgo: number } | null,
  ) {
    this.#deps = deps;
    this.#hasSums = stored === null;
    if (stored === null) return;
    const { loaded = 0, total = null, knownSince = null } = stored.entry ?? {};
    this.#progress = { loaded, total };
    this.#knownSince = knownSince;
    this.#isListed = true;
    this.#listedAt = deps.now() - stored.listedAgo;
  }

  get isListed(): boolean {
    return this.#isListed;
  }

  /** The devices of the owner before are known. */
  resumed(): void {
    this.#hasSums = true;
    this.show();
  }

  /** A page of the list was read. */
  progressed(progress: Progress): void {
    if (!this.#isListed) this.#progress = progress;
    this.show();
  }

  /**
   * The whole list was read. One that was not read for long has missed changes in between.
   *
   * @param devices how many it has
   * @param knowsFlips the farm API records them, so that none is missed
   * @param intervalMs at which it is read; null: it is not
   */
  listed(
    devices: number,
    { knowsFlips, intervalMs }: { knowsFlips: boolean; intervalMs: number | null },
  ): void {
    const now = this.#deps.now();
    const gap = Math.max(LISTED_WITHIN_MS, LISTS_MISSED * (intervalMs ?? 0));
    if (knowsFlips) this.#knownSince = null;
    else if (this.#knownSince === null || this.#listedAt === null || now - this.#listedAt > gap)
      this.#knownSince = new Date(now).toISOString();
    this.#listedAt = now;
    this.#isListed = true;
    this.#progress = { loaded: devices, total: devices };
    this.show();
  }

  /** Write the entry. */
  show(): void {
    const { withheld } = this.#deps.reception;
    const value: FleetListValue = {
      ...this.#progress,
      knownSince: this.#knownSince,
      ...(this.#isListed && this.#hasSums ? this.#deps.sums() : NOT_KNOWN),
      ...(withheld && {
        withheld: {
          since: new Date(withheld.since).toISOString(),
          until: withheld.until === null ? null : new Date(withheld.until).toISOString(),
        },
      }),
    };
    const asked = this.#deps.asked();
    this.#deps.writer.set(FLEET_LIST_KEY, asked.of === 0 ? { ...value } : { ...value, asked });
  }
}
